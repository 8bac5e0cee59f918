import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "@vedette/cli/testing";
import { LineSplitter, type NodeView } from "@vedette/devnet";

/** A line of its standard output. */
export interface LauncherMessage {
  readonly type: string;
  readonly isNew?: boolean;
  readonly networkId?: string;
  readonly nodes?: readonly NodeView[];
}

/** `vedette network --json`, as a script sees it. */
export class Launcher {
  readonly process: ChildProcess;
  readonly messages: LauncherMessage[] = [];
  errors = "";
  #wake = () => {};

  constructor(directory: string, basePort: number, args: readonly string[] = []) {
    const all = [program, "network", "--json", "--dir", directory, "--base-port", String(basePort), ...args];
    // Not among the contexts of who runs the test.
    const env = { ...process.env, VEDETTE_CONTEXTS: `${directory}-contexts.json` };
    this.process = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"], env });
    const splitter = new LineSplitter((line) => {
      this.messages.push(JSON.parse(line));
      this.#wake();
    });
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => splitter.add(text));
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.errors += text;
    });
  }

  /** The first message of which something is true. */
  async message(isIt: (message: LauncherMessage) => boolean): Promise<LauncherMessage> {
    for (;;) {
      const found = this.messages.find(isIt);
      if (found !== undefined) return found;
      if (this.process.exitCode !== null) throw new Error(`the launcher has ended: ${this.errors}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 500);
      });
    }
  }

  /** The observer has a block of a height, and all nodes run. */
  observes(height: number): Promise<LauncherMessage> {
    return this.message(({ nodes }) => {
      if (nodes?.every(({ state }) => state === "running") !== true) return false;
      return (nodes.find(({ name }) => name === "observer")?.height ?? -1) >= height;
    });
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    if (this.process.exitCode === null) await once(this.process, "exit");
    return this.process.exitCode;
  }
}

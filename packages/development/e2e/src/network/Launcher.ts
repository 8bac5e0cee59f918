import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@vedette/cli/testing";
import { LineSplitter, type NodeView } from "@vedette/devtools/devnet";
import { processEvidence, until } from "@vedette/testing";

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
  #isClosed = false;

  constructor(directory: string, basePort: number, args: readonly string[] = []) {
    const all = [program, "network", "--json", "--dir", directory, "--base-port", String(basePort), ...args];
    // Keeps out of the contexts of the user that runs the test.
    const env = { ...process.env, VEDETTE_CONTEXTS: `${directory}-contexts.json` };
    this.process = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"], env });
    this.process.once("close", () => {
      this.#isClosed = true;
    });
    const splitter = new LineSplitter((line) => {
      this.messages.push(JSON.parse(line));
    });
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => splitter.add(text));
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.errors += text;
    });
    const output = () => [...this.messages.map((message) => JSON.stringify(message)), this.errors].join("\n");
    processEvidence.add({ name: "launcher", files: { "log.txt": output, "nodes.txt": () => logsBelow(directory) } });
  }

  /** Waits for the first message of which something is true. */
  message(isIt: (message: LauncherMessage) => boolean): Promise<LauncherMessage> {
    let looked = 0;
    const find = () => {
      const hasEnded = this.#isClosed;
      for (; looked < this.messages.length; looked += 1) if (isIt(this.messages[looked]!)) return this.messages[looked];
      if (hasEnded) throw new Error(`the launcher has ended: ${this.errors}`);
      return undefined;
    };
    const state = () => `its last message is ${JSON.stringify(this.messages.at(-1))} ${this.errors}`;
    return until("a message of the launcher", find, { state });
  }

  /** The observer has a block of a height, and all nodes run. */
  observes(height: number): Promise<LauncherMessage> {
    return this.message(({ nodes }) => {
      if (nodes?.every(({ state }) => state === "running") !== true) return false;
      return (nodes.find(({ name }) => name === "observer")?.height ?? -1) >= height;
    });
  }

  /** @returns its exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Waits until it has ended, and all its output has come. @returns its exit code */
  async ended(): Promise<number | null> {
    if (!this.#isClosed) await once(this.process, "close");
    return this.process.exitCode;
  }
}

/** The logs of all nodes of a network's folder. */
function logsBelow(directory: string): string {
  if (!existsSync(directory)) return "";
  const logs = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".log"));
  return logs.map((path) => `--- ${path}\n${readFileSync(join(directory, path), "utf8")}`).join("\n");
}

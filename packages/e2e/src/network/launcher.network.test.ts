import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "@vedette/cli/testing";
import { LineSplitter, type NodeView } from "@vedette/devnet";
import { expect, test } from "vitest";

/** Below the ports of outgoing connections, and of no other test. */
const basePort = "9200";

interface Message {
  readonly type: string;
  readonly isNew?: boolean;
  readonly networkId?: string;
  readonly nodes?: readonly NodeView[];
}

/** `vedette network --json`, as a script sees it. */
class Launcher {
  readonly process: ChildProcess;
  readonly messages: Message[] = [];
  errors = "";
  #wake = () => {};

  constructor(directory: string, args: readonly string[] = []) {
    const all = [program, "network", "--json", "--dir", directory, "--base-port", basePort, ...args];
    this.process = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"] });
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
  async message(isIt: (message: Message) => boolean): Promise<Message> {
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
  observes(height: number): Promise<Message> {
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

/** What listens on some ports for others than this machine, by the kernel's table; elsewhere than on Linux nothing. */
function openListeners(from: number, to: number): string[] {
  if (process.platform !== "linux") return [];
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readFileSync(path, "utf8").split("\n"));
  const places = lines.map((line) => line.trim().split(/\s+/)).filter((fields) => fields[3] === "0A");
  const own = places
    .map((fields) => fields[1]!.split(":"))
    .filter(([, port]) => {
      const number = Number.parseInt(port!, 16);
      return number >= from && number < to;
    });
  expect(own.length).toBeGreaterThan(5);
  return own.filter(([address]) => address !== "0100007F").map((parts) => parts.join(":"));
}

test("the command: starts, ends in order, goes on at the next start; nodes of a killed launcher end", async () => {
  const directory = mkdtempSync(join(tmpdir(), "vedette-test-"));
  try {
    const first = new Launcher(directory, ["--validators", "1", "--rhythm", "1s"]);
    const begun = await first.message(({ type }) => type === "network");
    expect(begun.isNew).toBe(true);
    await first.observes(1);
    expect(openListeners(Number(basePort), Number(basePort) + 100)).toEqual([]);

    const second = new Launcher(directory);
    await once(second.process, "exit");
    expect([second.process.exitCode, second.errors]).toEqual([1, expect.stringContaining("is running already")]);

    expect(await first.end("SIGINT")).toBe(0);
    expect(first.messages.at(-1)).toEqual({ type: "message", text: "All nodes have stopped." });

    const next = new Launcher(directory);
    const goneOn = await next.message(({ type }) => type === "network");
    expect([goneOn.isNew, goneOn.networkId]).toEqual([false, begun.networkId]);
    const running = await next.observes(1);
    expect(running.nodes!.length).toBe(2);
    next.process.kill("SIGKILL");
    await once(next.process, "exit");

    // The nodes that were left behind end by themselves, and the next launcher waits for that.
    const last = new Launcher(directory, ["--fresh", "--validators", "1"]);
    const anew = await last.message(({ type }) => type === "network");
    expect(anew.isNew).toBe(true);
    expect(anew.networkId).not.toBe(begun.networkId);
    await last.observes(0);
    expect(await last.end("SIGTERM")).toBe(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort, nodeWitness, processEvidence, until, type Witness } from "@vedette/testing";

const loopWatch = new URL("../../dist/testing/loopWatch.js", import.meta.url).href;
/** Path of the program that users call. */
export const program = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));

/** Ports of one node. */
export interface NodePorts {
  readonly protocol: number;
  readonly discovery: number;
  readonly http: number;
  readonly grpcExternal: number;
  readonly grpcInternal: number;
  readonly adminHttp: number;
}

/** Returns the options of `run` that choose the ports. */
export function portOptions(ports: NodePorts): string[] {
  return [
    `--protocol-port=${ports.protocol}`,
    `--discovery-port=${ports.discovery}`,
    `--api-port-http=${ports.http}`,
    `--api-port-grpc-external=${ports.grpcExternal}`,
    `--api-port-grpc-internal=${ports.grpcInternal}`,
    `--api-port-admin-http=${ports.adminHttp}`,
  ];
}

/** How a node process is started. */
export interface NodeProcessOptions {
  readonly dataDir: string;
  readonly ports: NodePorts;
  readonly networkId: string;
  readonly args: readonly string[];
  /** The folder that it is started in; else that of the tests. */
  readonly cwd?: string;
  /** Measures how long the main thread is away from its event loop; see {@link NodeProcess.longestPause}. */
  readonly isWatched?: boolean;
}

const lookMs = 50;
/** Lines of its log that an error shows. */
const shownLines = 60;

/** A running `vedette run`, as a test sees it: its log and its HTTP port. */
export class NodeProcess implements AsyncDisposable {
  readonly ports: NodePorts;
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly #witness: Witness;
  #isClosed = false;

  constructor({ dataDir, ports, networkId, args, cwd, isWatched }: NodeProcessOptions) {
    this.ports = ports;
    this.#process = spawn(
      program,
      [
        "run",
        `--data-dir=${dataDir}`,
        `--network-id=${networkId}`,
        "--host=127.0.0.1",
        "--allow-private-addresses",
        "--no-upnp",
        "--api-host=127.0.0.1",
        ...portOptions(ports),
        ...args,
      ],
      {
        stdio: ["ignore", "pipe", "pipe"],
        cwd,
        env: isWatched === true ? { ...process.env, NODE_OPTIONS: `--import=${loopWatch}` } : process.env,
      },
    );
    this.#process.once("close", () => {
      this.#isClosed = true;
    });
    this.#exited = once(this.#process, "exit").then(([code]) => code as number | null);
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) this.#read(stream);
    const log = () => `${this.lines.join("\n")}\n`;
    this.#witness = {
      ...nodeWitness(basename(dataDir), log, `http://127.0.0.1:${ports.http}`),
      hasEnded: () => !this.isRunning,
    };
    processEvidence.add(this.#witness);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Its `rnode://` address, from its log. */
  async address(): Promise<string> {
    const line = await this.line(/Listening for traffic on (rnode:\S+)\./);
    return /(rnode:\S+)\./.exec(line)![1]!;
  }

  /** The first line of the log that matches, waited for. @throws Error with the log's end when the process ends first */
  async line(pattern: RegExp): Promise<string> {
    const find = this.#finding(pattern);
    return until(`a line ${pattern}`, find, { state: () => `the log ends with:\n${this.#end}` });
  }

  /** As {@link line}, for what takes long by itself: waits as long as the process runs. */
  async lineHoweverLate(pattern: RegExp): Promise<string> {
    const find = this.#finding(pattern);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await sleep(lookMs);
    }
  }

  /**
   * The longest time that the main thread was away from its event loop since a line of the log, in milliseconds: in all,
   * and without what it waited for a core that other processes had.
   */
  longestPause(sinceLine: number): { readonly delayMs: number; readonly ownMs: number } {
    let [delayMs, ownMs] = [0, 0];
    for (const line of this.lines.slice(sinceLine)) {
      const [, delay, own] = /^loop (\d+) ms, of these its own (-?\d+) ms$/.exec(line) ?? [];
      if (delay === undefined) continue;
      delayMs = Math.max(delayMs, Number(delay));
      ownMs = Math.max(ownMs, Number(own));
    }
    return { delayMs, ownMs };
  }

  /** The body of a GET request to its API. */
  async get(path: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.ports.http}${path}`)).text();
  }

  /** The answer to a POST request to its API. @param body JSON, or a program as it is */
  async post(path: string, body: string): Promise<string> {
    const headers = { "content-type": body.startsWith("{") ? "application/json" : "text/plain" };
    return (await fetch(`http://127.0.0.1:${this.ports.http}${path}`, { method: "POST", headers, body })).text();
  }

  /** Waits until it ends by itself. @returns its exit code */
  ended(): Promise<number | null> {
    return this.#exited;
  }

  /** Ends it without warning, as a loss of power of the process does. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }

  /** Requests its end. @returns its exit code; `null` when it was ended by the signal itself */
  async stop(): Promise<number | null> {
    if (this.isRunning) this.#process.kill("SIGTERM");
    return this.#exited;
  }

  /** Ends the process once the test is over, so that a failed test can still show what the process wrote. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss([this.#witness], async () => void (await this.stop()));
  }

  get #end(): string {
    return this.lines.slice(-shownLines).join("\n");
  }

  /** @returns a function that looks for a line among those since its last call */
  #finding(pattern: RegExp): () => string | undefined {
    let looked = 0;
    return () => {
      for (; looked < this.lines.length; looked += 1) if (pattern.test(this.lines[looked]!)) return this.lines[looked];
      if (this.#isClosed) throw new Error(`the process has ended without a line ${pattern}:\n${this.#end}`);
      return undefined;
    };
  }

  #read(stream: NodeJS.ReadableStream): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop()!;
      this.lines.push(...parts);
    });
  }
}

/** Ports of one node, given to no other. */
export async function freePorts(): Promise<NodePorts> {
  const [protocol, discovery, http, grpcExternal, grpcInternal, adminHttp] = await Promise.all(
    Array.from({ length: 6 }, freePort),
  );
  return {
    protocol: protocol!,
    discovery: discovery!,
    http: http!,
    grpcExternal: grpcExternal!,
    grpcInternal: grpcInternal!,
    adminHttp: adminHttp!,
  };
}

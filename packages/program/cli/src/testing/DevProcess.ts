import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeWitness, processEvidence, type Witness } from "@vedette/testing";
import { program } from "./NodeProcess.js";

/** The output of `vedette dev --json` when it is ready. */
export interface DevReady {
  readonly type: "ready";
  readonly seconds: number;
  readonly ports: {
    readonly http: number;
    readonly adminHttp: number;
    readonly grpcExternal: number;
    readonly grpcInternal: number;
  };
  readonly accounts: readonly { readonly address: string; readonly publicKey: string; readonly privateKey: string }[];
  readonly blockHash: string;
  readonly blockNumber: number;
}

/** A running `vedette dev` on free ports, as a test sees it. */
export class DevProcess implements AsyncDisposable {
  readonly ready: DevReady;
  readonly #process: ChildProcess;
  readonly #errors: string[];
  readonly #witness: Witness;

  private constructor(process: ChildProcess, ready: DevReady, errors: string[]) {
    this.#process = process;
    this.ready = ready;
    this.#errors = errors;
    this.#witness = {
      ...nodeWitness("dev", () => this.errors, `http://127.0.0.1:${ready.ports.http}`),
      hasEnded: () => process.exitCode !== null || process.signalCode !== null,
    };
    processEvidence.add(this.#witness);
  }

  /** @throws Error with its text on the standard error when it does not start */
  static async start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<DevProcess> {
    const child = spawn(program, ["dev", "--port=0", "--json", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      // Keeps the test out of the user's own contexts.
      env: { ...process.env, VEDETTE_CONTEXTS: join(tmpdir(), `vedette-contexts-${process.pid}`), ...environment },
    });
    const errors: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([
      once(lines, "line").then(([line]) => String(line)),
      once(child, "exit").then(([code]) => {
        throw new Error(`vedette dev ended with ${code}: ${errors.join("")}`);
      }),
    ]);
    return new DevProcess(child, JSON.parse(first) as DevReady, errors);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** Its text on the standard error. */
  get errors(): string {
    return this.#errors.join("");
  }

  /** Sends a request to one of the routes for development. */
  async ask(path: string, body?: object): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
    const url = `http://127.0.0.1:${this.ready.ports.adminHttp}${path}`;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  }

  /** Sends a request to the public HTTP API. */
  async get(path: string): Promise<Record<string, unknown>> {
    return (await (await fetch(`http://127.0.0.1:${this.ready.ports.http}${path}`)).json()) as Record<string, unknown>;
  }

  /** Requests its end. @returns its exit code */
  async stop(): Promise<number | null> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    return (await exited)[0] as number | null;
  }

  /** Ends the process once the test is over, so that a failed test can still show what the process wrote. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss([this.#witness], async () => void (await this.stop()));
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../../packages/development/testing/dist/wait/until.js";

/** The options with which a program is started. */
export interface Start {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Message {
  readonly type: string;
  readonly nodes?: readonly { readonly name: string; readonly state: string; readonly height?: number }[];
}

/** `vedette`, however it was installed, as a user starts it in a terminal: with its child processes in one group. */
export class InstalledProgram implements AsyncDisposable {
  readonly #process: ChildProcess;
  #output = "";
  readonly startedMs = performance.now();

  constructor(command: readonly string[], { cwd, env }: Start) {
    const [name, ...args] = command;
    this.#process = spawn(name!, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const keep = (part: Buffer) => {
      this.#output += part.toString();
    };
    this.#process.stdout!.on("data", keep);
    this.#process.stderr!.on("data", keep);
  }

  get output(): string {
    return this.#output;
  }

  /** The messages that `vedette network --json` has printed. */
  get messages(): Message[] {
    const lines = this.#output.split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Message);
  }

  /** Waits until something is so. @throws when the program has ended, with what it printed */
  async until<Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
    const lookAgain = async () => {
      const found = await look();
      if (found === undefined && this.#hasEnded()) throw new Error(`the program has ended:\n${this.#output}`);
      return found === undefined ? undefined : { found };
    };
    const state = () => `it said:\n${this.#output}`;
    return (await until("what the program has to do", lookAgain, { everyMs: 200, state })).found;
  }

  /** Waits for an answer of an API that something is true of. */
  answers<Value>(url: string, isIt: (answer: Value) => boolean): Promise<Value> {
    return this.until(async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
      if (response?.ok !== true) return undefined;
      const answer = (await response.json().catch(() => undefined)) as Value | undefined;
      return answer !== undefined && isIt(answer) ? answer : undefined;
    });
  }

  /** Ctrl-C, or what a service manager sends. @returns the exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.#hasEnded()) {
      process.kill(-this.#process.pid!, signal);
      // Waits for "close", not "exit": the starting process may exit before its last output was read.
      await once(this.#process, "close");
    }
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.#process.pid!, "SIGKILL");
    } catch {
      // The whole group is gone.
    }
    if (!this.#hasEnded()) await once(this.#process, "exit");
  }

  #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}

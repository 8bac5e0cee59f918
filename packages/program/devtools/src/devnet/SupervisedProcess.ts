import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter, type NodeLine, parseNodeLine } from "./NodeLine.js";

/** The program to run. */
export interface ProcessCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last thing that it complained of. */
  readonly lastError: string | undefined;
}

/** The state of a supervised process. */
export type ProcessState =
  | { readonly type: "idle" }
  | { readonly type: "running"; readonly pid: number; readonly sinceMs: number }
  | { readonly type: "waiting"; readonly end: ProcessEnd; readonly restartsAtMs: number }
  | { readonly type: "stopping"; readonly pid: number }
  | { readonly type: "ended"; readonly end: ProcessEnd };

/** How a process is looked after. */
export interface SupervisionOptions {
  readonly program: ProcessCommand;
  readonly isRestarted: boolean;
  readonly onLine: (line: NodeLine) => void;
  readonly onStateChange: (state: ProcessState) => void;
  readonly backoff?: Backoff | undefined;
}

/** How long to wait before a process is started again. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that ran for this time has recovered. */
  readonly recoveredAfterMs: number;
}

const defaultBackoff: Backoff = { firstMs: 1_000, maxMs: 30_000, recoveredAfterMs: 60_000 };

/**
 * Runs a process, and starts it again when it ends by itself, later each time.
 *
 * The process has its own process group, so that Ctrl-C at the terminal reaches the launcher alone. When the launcher
 * ends, its channel to the process closes, and the process sees that.
 */
export class SupervisedProcess {
  readonly #options: SupervisionOptions;
  readonly #backoff: Backoff;
  #state: ProcessState = { type: "idle" };
  #child: ChildProcess | undefined;
  #ended: Promise<ProcessEnd> = Promise.resolve({ code: 0, signal: null, lastError: undefined });
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  #restarts = 0;
  #isWanted = false;
  #startedAtMs = 0;

  constructor(options: SupervisionOptions) {
    this.#options = options;
    this.#backoff = options.backoff ?? defaultBackoff;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** How often it was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#child !== undefined) return;
    clearTimeout(this.#restart);
    this.#isWanted = true;
    this.#spawn();
  }

  /** Requests its end, and kills it when it has not ended in time. @returns how it ended */
  async stop(graceMs: number, signal: NodeJS.Signals = "SIGINT"): Promise<ProcessEnd> {
    this.#isWanted = false;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child?.pid === undefined) {
      if (this.#state.type === "waiting") this.#change({ type: "ended", end: this.#state.end });
      return this.#ended;
    }
    this.#change({ type: "stopping", pid: child.pid });
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), graceMs);
    const end = await this.#ended;
    clearTimeout(late);
    return end;
  }

  /** Ends it at once. What is supervised is started again, as after any other end. */
  kill(): Promise<ProcessEnd> {
    this.#child?.kill("SIGKILL");
    return this.#ended;
  }

  #spawn(): void {
    const { command, args, environment } = this.#options.program;
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    this.#child = child;
    this.#startedAtMs = performance.now();
    let lastError: string | undefined;
    const splitter = new LineSplitter((text) => {
      const line = parseNodeLine(text);
      if (line.level === "error") lastError = line.text;
      this.#options.onLine(line);
    });
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => splitter.add(text));
    this.#ended = new Promise((resolve) => {
      const finish = (code: number | null, signal: NodeJS.Signals | null) => {
        if (this.#child !== child) return;
        splitter.end();
        const end = { code, signal, lastError };
        this.#child = undefined;
        resolve(end);
        this.#onEnd(end);
      };
      child.once("close", finish);
      child.once("error", (error) => {
        lastError = error.message;
        if (child.pid === undefined) finish(null, null);
      });
    });
    if (child.pid !== undefined) this.#change({ type: "running", pid: child.pid, sinceMs: this.#startedAtMs });
  }

  #onEnd(end: ProcessEnd): void {
    if (!this.#isWanted || !this.#options.isRestarted) {
      this.#change({ type: "ended", end });
      return;
    }
    const { firstMs, maxMs, recoveredAfterMs } = this.#backoff;
    const hasRecovered = performance.now() - this.#startedAtMs >= recoveredAfterMs;
    this.#failures = hasRecovered ? 1 : this.#failures + 1;
    const delayMs = Math.min(maxMs, firstMs * 2 ** (this.#failures - 1));
    this.#restart = setTimeout(() => {
      this.#restarts += 1;
      this.#spawn();
    }, delayMs);
    this.#change({ type: "waiting", end, restartsAtMs: performance.now() + delayMs });
  }

  #change(state: ProcessState): void {
    this.#state = state;
    this.#options.onStateChange(state);
  }
}

/** How a process ended, in words. */
export function printEnd({ code, signal, lastError }: ProcessEnd): string {
  const how = signal !== null ? `ended by ${signal}` : code === null ? "could not be started" : `exit code ${code}`;
  return lastError === undefined ? how : `${how}: ${lastError}`;
}

import { inspect } from "node:util";
import type { Worker } from "node:worker_threads";
import { endProcess } from "./endProcess.js";

/** A thread that writes a store. */
export interface WatchedWriter {
  readonly worker: Pick<Worker, "once" | "performance">;
  /** Calls in flight. */
  readonly pending: () => number;
  /** Called once, where the thread has stopped and cannot exit. */
  readonly onStuck: () => void;
}

const lookMs = 1_000;
/** Looks that find a thread stopped. They are counted, as a clock that jumps must end no process. */
const maxLooks = 15;

/**
 * Keeps a thread that stops within a transaction from stopping the whole process.
 *
 * Such a thread never exits: the cleanup of `lmdb` waits for the lock that the thread itself has. The engine stops a
 * thread there when its heap is full, and Node.js when the process exits, by an error of the main thread for example. No event
 * reports the first, no other thread can write, and the second waits for ever. So the process ends in both cases.
 */
export class WriterWatch implements Disposable {
  readonly #writer: WatchedWriter;
  readonly #timer: NodeJS.Timeout;
  #hasBegun = false;
  #looks = 0;

  constructor(writer: WatchedWriter) {
    this.#writer = writer;
    writer.worker.once("message", () => (this.#hasBegun = true));
    writer.worker.once("exit", () => this[Symbol.dispose]());
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    if (writers.size === 0) watchExit();
    writers.add(writer);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    writers.delete(this.#writer);
    if (writers.size === 0) leaveExit();
  }

  #look(): void {
    this.#looks = this.#hasStopped() ? this.#looks + 1 : 0;
    if (this.#looks < maxLooks) return;
    this[Symbol.dispose]();
    this.#writer.onStuck();
  }

  /** Node.js has no loop to report for a thread that runs no JavaScript any more. */
  #hasStopped(): boolean {
    const { idle, active } = this.#writer.worker.performance.eventLoopUtilization();
    return this.#hasBegun && (idle < 0 || active === 0);
  }
}

/** Threads that have not exited. */
const writers = new Set<WatchedWriter>();
/** The error that ends the process: Node.js prints it after the handlers of the exit. */
let uncaught: unknown;

function noteUncaught(error: unknown): void {
  uncaught = error;
}

/** A transaction is always part of a call. */
function endWithoutWaiting(code: number): void {
  if (![...writers].some(({ pending }) => pending() > 0)) return;
  if (uncaught !== undefined) process.stderr.write(`${inspect(uncaught)}\n`);
  endProcess(code);
}

function watchExit(): void {
  process.on("uncaughtExceptionMonitor", noteUncaught);
  process.on("exit", endWithoutWaiting);
}

function leaveExit(): void {
  process.off("uncaughtExceptionMonitor", noteUncaught);
  process.off("exit", endWithoutWaiting);
}

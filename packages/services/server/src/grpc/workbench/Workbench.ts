import type { Worker } from "node:worker_threads";
import { errorClass } from "@vedette/errors";
import { RemoteError, startDeepThread, ThreadCalls } from "@vedette/executor/threads";
import type { ProgramDiagnostic } from "./diagnose.js";
import type { ReplProgram, ReplResult } from "./EvaluationSpace.js";

/** The settings of a workbench's thread. */
export interface WorkbenchSettings {
  /** Its one number is not 0 while the program that runs is to be given up. */
  readonly cancelFlag: SharedArrayBuffer;
  readonly timeoutMs: number;
  readonly maxPending: number;
}

/** The limits of the operator's programs. */
export interface WorkbenchLimits {
  readonly timeoutMs: number;
  readonly heapSizeMb: number;
}

/** A program that the workbench does not take, or gives up. */
export class WorkbenchError extends errorClass("WorkbenchError", sentence) {}

function sentence({ code }: { readonly code: keyof typeof sentences }): string {
  return sentences[code];
}

const sentences = {
  busy: "Too many programs are waiting; try again later.",
  closed: "The node is shutting down.",
  overrun: "The program did not end in time and was ended with all that was on the space.",
  crashed: "The program took all memory and was ended with all that was on the space.",
};

const maxWaiting = 16;
const maxPending = 1_000_000;
/** A program with its own deadline gets this much longer before its thread is ended. */
const graceMs = 2_000;
/** A thread that only checks programs is ended after this time without work. */
const idleMs = 120_000;

/** The default limits of an operator's programs. */
const workbenchLimits: WorkbenchLimits = { timeoutMs: 10_000, heapSizeMb: 512 };

/**
 * Runs and checks programs of the operator, on threads that know nothing of the chain and begin when they are first
 * needed. A program without end is stopped, one that takes all memory loses its thread: neither can harm the node.
 *
 * @spec 50 §3.4
 */
export class Workbench implements AsyncDisposable {
  readonly #space: BenchThread;
  readonly #checker: BenchThread;

  constructor(limits: WorkbenchLimits = workbenchLimits) {
    this.#space = new BenchThread(limits, undefined);
    this.#checker = new BenchThread(limits, idleMs);
  }

  /** Runs a program on the evaluation space. @throws {WorkbenchError} */
  run(program: ReplProgram, signal: AbortSignal): Promise<ReplResult> {
    return this.#space.call("run", program, signal) as Promise<ReplResult>;
  }

  /** Looks what is wrong with a program. @throws {WorkbenchError} */
  diagnose(source: string, signal: AbortSignal): Promise<readonly ProgramDiagnostic[]> {
    return this.#checker.call("diagnose", source, signal) as Promise<readonly ProgramDiagnostic[]>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#space.close(), this.#checker.close()]);
  }
}

/** A thread that does one thing at a time, and is replaced when that does not end. */
class BenchThread {
  readonly #limits: WorkbenchLimits;
  readonly #idleMs: number | undefined;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #calls: ThreadCalls<Record<string, (argument: never) => unknown>> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor(limits: WorkbenchLimits, idleAfterMs: number | undefined) {
    this.#limits = limits;
    this.#idleMs = idleAfterMs;
  }

  call(method: string, argument: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new WorkbenchError({ code: "closed" }));
    if (this.#waiting >= maxWaiting) return Promise.reject(new WorkbenchError({ code: "busy" }));
    this.#waiting += 1;
    const answer = this.#last.then(() => this.#run(method, argument, signal)).finally(() => (this.#waiting -= 1));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #run(method: string, argument: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#isClosed) throw new WorkbenchError({ code: "closed" });
    signal.throwIfAborted();
    Atomics.store(this.#flag, 0, 0);
    const cancel = () => Atomics.store(this.#flag, 0, 1);
    signal.addEventListener("abort", cancel, { once: true });
    clearTimeout(this.#idle);
    let isOverrun = false;
    const timer = setTimeout(() => {
      isOverrun = true;
      void this.#end();
    }, this.#limits.timeoutMs + graceMs);
    try {
      return await this.#started().call(method, argument as never);
    } catch (error) {
      if (this.#isClosed) throw new WorkbenchError({ code: "closed" });
      const isEnded = error instanceof RemoteError && error.name === "ThreadEnded";
      if (isOverrun) throw new WorkbenchError({ code: "overrun" });
      if (!isEnded && this.#worker !== undefined) throw error;
      await this.#end();
      throw new WorkbenchError({ code: "crashed" });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      if (this.#idleMs !== undefined) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  #started() {
    if (this.#calls !== undefined) return this.#calls;
    const { timeoutMs, heapSizeMb } = this.#limits;
    const settings: WorkbenchSettings = { cancelFlag: this.#flag.buffer as SharedArrayBuffer, timeoutMs, maxPending };
    const worker = startDeepThread(new URL("./workbenchThread.js", import.meta.url), settings, { heapSizeMb });
    for (const event of ["error", "exit"])
      worker.once(event, () => {
        if (this.#worker === worker) this.#worker = this.#calls = undefined;
      });
    this.#worker = worker;
    return (this.#calls = new ThreadCalls(worker, "workbench"));
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = this.#calls = undefined;
    await worker?.terminate();
  }
}

import type { Worker } from "node:worker_threads";
import { errorClass } from "@vedette/errors";
import type { Dialect } from "@vedette/protocol";
import { movedWith, type OriginLink, openOriginLink, type PieceSource } from "../origin/originLink.js";
import { type OnWorked, RemoteError, ThreadCalls } from "../thread/calls.js";
import { startDeepThread } from "../thread/deepStack.js";
import { growthCell, LargeHeapLease } from "../thread/LargeHeapLease.js";
import type { ProgramMemoryLimits } from "../thread/ProgramMemory.js";
import { gcIntervalMs } from "../thread/restBeat.js";
import {
  type ThreadMemoryActions,
  type ThreadMemoryLimits,
  ThreadMemoryMonitor,
  usualEndMs,
} from "../thread/ThreadMemoryMonitor.js";
import type { StateReader } from "./StateReader.js";

/** The settings of a reader's thread. */
export interface ReaderSettings {
  readonly stateDirectory: string;
  /** The dialect of the states. */
  readonly dialect: Dialect["name"];
  /** Its one number is not 0 while the call that is being answered is to be given up. */
  readonly cancelFlag: SharedArrayBuffer;
  readonly memory: ProgramMemoryLimits;
  /** Where the readers agree which of them may hold much. */
  readonly growthCell: SharedArrayBuffer;
  /** Distinguishes the readers from each other. */
  readonly id: number;
  /** Where what is absent from the store comes from. */
  readonly origin?: OriginLink | undefined;
}

/** Size and place of a pool. */
export interface ReaderPoolOptions {
  readonly stateDirectory: string;
  /** The dialect of the states. */
  readonly dialect: Dialect["name"];
  /** At most: one is started at once, the others when calls wait; those that are idle for long end. */
  readonly threads: number;
  /** Calls that may wait; further ones are refused. */
  readonly maxWaiting: number;
  readonly rest?: ThreadMemoryLimits;
  /** Where what is absent from the store comes from, when the states are another node's. */
  readonly pieces?: PieceSource | undefined;
}

type ReaderMethods = { [K in keyof StateReader]: StateReader[K] };
/** The calls for a reader's own upkeep. */
type UpkeepMethods = { readonly tidy: () => void; readonly ready: () => void };

/** The options of a call. */
export interface ReaderCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with how long the reader worked on it, where it answers. */
  readonly onWorked?: OnWorked | undefined;
}

/** The readers, as far as queries on states need them. */
export type QueryReaders = Pick<ReaderPool, "call">;

interface Job {
  readonly method: keyof ReaderMethods;
  readonly argument: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onWorked: OnWorked | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A call that a pool does not take, or gives up. */
export class ReaderPoolError extends errorClass("ReaderPoolError", sentence) {}

function sentence({ code }: { readonly code: keyof typeof sentences }): string {
  return sentences[code];
}

const sentences = {
  busy: "Too many queries are waiting; try again later.",
  cancelled: "The query was cancelled.",
  closed: "The node is shutting down.",
  overrun: "The query did not end in time and its thread was ended.",
};

/**
 * An observer must stay below 600 MB for any requests: some 250 are its own, a reader has what is left. Programs are
 * stopped well before their thread's heap is full, which would end the thread. A hundred thousand nested levels need 60
 * to 120 MB of stack. The whole stack and the thread's base memory are less than a program may use: a program that
 * nests too deeply fails with that error, not with one about memory.
 */
const threadLimits = { heapSizeMb: 240, stackSizeMb: 148, youngSizeMb: 32 } as const;
const memory: ProgramMemoryLimits = { maxBytes: 208 << 20, freeBytes: 104 << 20 };
/** A call with its own deadline gets this much longer before its thread is ended. */
const graceMs = 2_000;
const defaultRest: ThreadMemoryLimits = {
  maxBytes: memory.freeBytes,
  idleHeapBytes: 72 << 20,
  idleStackBytes: 8 << 20,
  garbageBytes: 16 << 20,
  longestGarbageMs: gcIntervalMs,
  idleMs: 5_000,
  longestMs: 10_000,
  minAgeMs: 0,
  endMs: usualEndMs,
};

/**
 * Threads that read states: each answers one call at a time, and is ended and replaced when a call does not keep to
 * its time, or when it keeps much memory afterwards. What they do can never delay a block.
 */
export class ReaderPool implements AsyncDisposable {
  readonly #options: ReaderPoolOptions;
  /** Those that have begun and answer nothing. */
  readonly #idle: Reader[] = [];
  readonly #starting = new Set<Reader>();
  readonly #all = new Set<Reader>();
  readonly #waiting: Job[] = [];
  readonly #growthCell = growthCell();
  #lastId = 0;
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#addReader();
  }

  /** Calls that wait for a reader. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Readers that answer a call. */
  get busy(): number {
    return this.#all.size - this.#idle.length - this.#starting.size;
  }

  /**
   * Has a reader answer a call.
   *
   * @throws {ReaderPoolError} when it is refused or given up; {RemoteError} what the method threw
   */
  call<K extends keyof ReaderMethods>(
    method: K,
    argument: Parameters<ReaderMethods[K]>[0],
    timeoutMs: number,
    { signal, onWorked }: ReaderCallOptions = {},
  ): Promise<ReturnType<ReaderMethods[K]>> {
    if (this.#isClosed) return Promise.reject(new ReaderPoolError({ code: "closed" }));
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(new ReaderPoolError({ code: "busy" }));
    return new Promise((resolve, reject) => {
      const settle = resolve as (result: unknown) => void;
      this.#waiting.push({ method, argument, timeoutMs, signal, onWorked, resolve: settle, reject });
      this.#next();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new ReaderPoolError({ code: "closed" }));
    await Promise.all([...this.#all].map((reader) => reader.end()));
  }

  #addReader(): void {
    const { stateDirectory, dialect, rest = defaultRest, pieces } = this.#options;
    this.#lastId += 1;
    const origin = pieces === undefined ? undefined : openOriginLink(pieces);
    const shared = { stateDirectory, dialect, growthCell: this.#growthCell, id: this.#lastId, memory, origin };
    const reader = new Reader(shared, rest, { replace: () => this.#replace(reader), end: () => this.#end(reader) });
    this.#all.add(reader);
    this.#starting.add(reader);
    // To begin takes longer than most calls: what waits goes to another one that is free sooner.
    void reader.ready.then(() => {
      this.#starting.delete(reader);
      if (this.#isClosed) return;
      this.#idle.unshift(reader);
      reader.rest.idle();
      this.#next();
    });
  }

  #next(): void {
    const free = this.#idle.length + this.#starting.size;
    if (this.#waiting.length > free && this.#all.size < this.#options.threads) this.#addReader();
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const job = this.#waiting.shift()!;
      if (job.signal?.aborted === true) job.reject(new ReaderPoolError({ code: "cancelled" }));
      else void this.#run(this.#idle.pop()!, job);
    }
  }

  async #run(reader: Reader, job: Job): Promise<void> {
    try {
      job.resolve(await reader.run(job));
    } catch (error) {
      job.reject(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#isClosed) return;
    this.#idle.push(reader);
    if (reader.isEnded) this.#replace(reader);
    else reader.rest.answered(true);
    // One that is replaced gives its turn back with its memory.
    if (!reader.isEnded) reader.turn.release();
    this.#next();
  }

  /** Puts another one in the place of one that is idle. */
  #replace(reader: Reader): void {
    if (this.#end(reader)) this.#addReader();
  }

  /** Ends one that is idle. @returns whether it was */
  #end(reader: Reader): boolean {
    const place = this.#idle.indexOf(reader);
    if (this.#isClosed || place < 0) return false;
    this.#idle.splice(place, 1);
    this.#all.delete(reader);
    void reader.end();
    return true;
  }
}

/** One thread of the pool. */
class Reader {
  readonly #worker: Worker;
  readonly #calls: ThreadCalls<ReaderMethods & UpkeepMethods>;
  readonly #flag: Int32Array;
  readonly rest: ThreadMemoryMonitor;
  readonly turn: LargeHeapLease;
  /** When it has begun, or failed to. */
  readonly ready: Promise<unknown>;
  isEnded = false;

  constructor(
    shared: Omit<ReaderSettings, "cancelFlag">,
    rest: ThreadMemoryLimits,
    actions: Pick<ThreadMemoryActions, "replace" | "end">,
  ) {
    const cancelFlag = new SharedArrayBuffer(4);
    this.#flag = new Int32Array(cancelFlag);
    this.turn = new LargeHeapLease(shared.growthCell, shared.id);
    const settings: ReaderSettings = { ...shared, cancelFlag };
    this.#worker = startDeepThread(
      new URL("./readerThread.js", import.meta.url),
      settings,
      threadLimits,
      movedWith(shared.origin),
    );
    for (const event of ["error", "exit"]) this.#worker.on(event, () => (this.isEnded = true));
    this.#worker.on("exit", () => this.turn.release());
    this.#calls = new ThreadCalls(this.#worker, "reader");
    this.ready = this.#calls.call("ready", undefined as never).catch(() => undefined);
    this.rest = new ThreadMemoryMonitor(rest, {
      kept: () => this.#calls.kept,
      tidy: () => this.#calls.call("tidy", undefined as never),
      ...actions,
    });
  }

  async run({ method, argument, timeoutMs, signal, onWorked }: Job): Promise<unknown> {
    this.rest.wake();
    Atomics.store(this.#flag, 0, 0);
    const cancel = () => Atomics.store(this.#flag, 0, 1);
    signal?.addEventListener("abort", cancel, { once: true });
    let isOverrun = false;
    const timer = setTimeout(() => {
      isOverrun = true;
      void this.end();
    }, timeoutMs + graceMs);
    try {
      return await this.#calls.call(method, argument as never, onWorked);
    } catch (error) {
      if (isOverrun) throw new ReaderPoolError({ code: "overrun" });
      if (error instanceof RemoteError && error.name === "ThreadEnded") this.isEnded = true;
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    this.rest[Symbol.dispose]();
    // A thread that is ended while a native library is being loaded may end the process.
    await this.ready;
    await this.#worker.terminate();
  }
}

import type { MessagePort, Worker } from "node:worker_threads";
import type { RetainedMemory } from "./ThreadMemoryMonitor.js";

/** One call to another thread; `argument` is copied, so it holds plain values and byte arrays only. */
interface CallMessage {
  readonly id: number;
  readonly method: string;
  readonly argument: unknown;
}

/** The result of a call, the thread's time for it, and the memory that it keeps afterwards. */
type ReplyMessage = { readonly id: number; readonly workedMs: number; readonly kept: RetainedMemory } & Outcome;

type Outcome = { readonly result: unknown } | { readonly error: { readonly name: string; readonly message: string } };

const nothing: RetainedMemory = { heapBytes: 0, stackBytes: 0 };

/** The methods of a thread: each takes one argument and answers once. */
export type Methods = { readonly [method: string]: (argument: never) => unknown };

/** The argument of a method. */
export type ArgumentOf<M extends Methods, K extends keyof M> = Parameters<M[K]>[0];
/** The result of a method. */
export type ResultOf<M extends Methods, K extends keyof M> = Awaited<ReturnType<M[K]>>;

/** Receives how long a thread worked on a call, in milliseconds, before the call is answered. */
export type OnWorked = (milliseconds: number) => void;

/** An error that was thrown in another thread; keeps the original's name and text. */
export class RemoteError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * Answers the calls that arrive on `port`, one after the other in the order of arrival.
 *
 * @param keptMemory the memory that the thread keeps, to be reported with each answer
 */
export function answerCalls(
  port: MessagePort,
  methods: Methods,
  keptMemory: () => RetainedMemory = () => nothing,
): void {
  let last: Promise<void> = Promise.resolve();
  port.on("message", (call: CallMessage) => {
    last = last.then(async () => {
      const begunMs = performance.now();
      const outcome = await answer(call, methods);
      const workedMs = performance.now() - begunMs;
      port.postMessage({ id: call.id, workedMs, kept: keptMemory(), ...outcome } satisfies ReplyMessage);
    });
  });
}

async function answer(call: CallMessage, methods: Methods): Promise<Outcome> {
  try {
    const method = methods[call.method];
    if (method === undefined) throw new RemoteError("Error", `no method ${call.method}`);
    return { result: await method(call.argument as never) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { error: { name, message } };
  }
}

interface Waiting {
  readonly onWorked: OnWorked | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Executors with threads that have not ended. */
const living = new Set<{ readonly name: string; readonly kept: RetainedMemory }>();

/**
 * The memory that threads started by this one keep, as last reported with an answer, by what they are for, in bytes;
 * threads that report nothing are left out.
 */
export function memoryOfThreads(): Readonly<Record<string, { readonly heap: number; readonly stack: number }>> {
  const sums: Record<string, { heap: number; stack: number }> = {};
  for (const { name, kept } of living) {
    if (kept.heapBytes === 0) continue;
    const { heap, stack } = sums[name] ?? { heap: 0, stack: 0 };
    sums[name] = { heap: heap + kept.heapBytes, stack: stack + kept.stackBytes };
  }
  return sums;
}

/** Calls the methods of one worker thread. */
export class ThreadCalls<M extends Methods> {
  /** The purpose of the thread. */
  readonly name: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #kept = nothing;
  #ended: Error | undefined = undefined;

  constructor(worker: Worker, name: string) {
    this.#worker = worker;
    this.name = name;
    living.add(this);
    worker.on("message", (reply: ReplyMessage) => this.#settle(reply));
    worker.on("error", (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => {
      living.delete(this);
      this.#end(new RemoteError("ThreadEnded", `the ${name} thread has ended`));
    });
  }

  /** Calls in flight. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** The memory that the thread keeps, as reported with its last answer. */
  get kept(): RetainedMemory {
    return this.#kept;
  }

  /** @throws {RemoteError} what the method threw, or `ThreadEnded` */
  call<K extends keyof M & string>(
    method: K,
    argument: ArgumentOf<M, K>,
    onWorked?: OnWorked,
  ): Promise<ResultOf<M, K>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { onWorked, resolve: resolve as (result: unknown) => void, reject });
      this.#worker.postMessage({ id, method, argument } satisfies CallMessage);
    });
  }

  #settle(reply: ReplyMessage): void {
    this.#kept = reply.kept;
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    waiting.onWorked?.(reply.workedMs);
    if ("error" in reply) waiting.reject(new RemoteError(reply.error.name, reply.error.message));
    else waiting.resolve(reply.result);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

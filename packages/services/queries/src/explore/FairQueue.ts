import { errorClass } from "@vedette/errors";
import { addressKey } from "@vedette/network";

/** Reasons why the queue refuses a request. */
export type FairQueueRejection = "tooMany" | "busy" | "cancelled" | "waitedTooLong";

/** The queue refused a request. */
export class FairQueueError extends errorClass("FairQueueError", sentence) {}

function sentence({ code }: { readonly code: FairQueueRejection }): string {
  return sentences[code];
}

const sentences = {
  tooMany: "Too many requests of your address are under way; wait for one of them.",
  busy: "Too many requests are waiting; try again later.",
  cancelled: "The request was cancelled.",
  waitedTooLong: "The request waited too long for its turn; try again later.",
} as const satisfies Record<FairQueueRejection, string>;

/** How many requests may run, and how many may wait. */
export interface FairQueueLimits {
  /** Running requests of all clients. */
  readonly running: number;
  /** Running and waiting requests of one client. */
  readonly ofOneClient: number;
  /** Waiting requests of all clients. */
  readonly waiting: number;
  /** Memory of all waiting requests in bytes; one request may always wait. Left out: not limited. */
  readonly waitingBytes?: number;
  readonly longestWaitMs: number;
}

/** A request for a turn. */
export interface QueuedRequest {
  /** Its address: those of one network are one client. `undefined` is one client, too. */
  readonly client: string | undefined;
  /** Left out: it waits as long as it may. */
  readonly signal?: AbortSignal | undefined;
  /** Memory that it takes while it waits; left out: next to none. */
  readonly bytes?: number;
}

interface Waiting {
  readonly client: string;
  readonly bytes: number;
  readonly enter: () => void;
  readonly refuse: (code: FairQueueRejection) => void;
}

/**
 * Runs a limited number of requests at once and serves clients in turn, so that a client with many requests delays only
 * itself. When the queue is full, the client with the most requests loses its newest one to a client with fewer.
 *
 * @spec 50 §1.11
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** The waiting requests of each client, in order of arrival. */
  readonly #queues = new Map<string, Set<Waiting>>();
  /** When a client was let in last, in numbers of visitors. */
  readonly #served = new Map<string, number>();
  #visitors = 0;
  readonly #counts = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Runs the work when it is the request's turn. @throws {FairQueueError} */
  async run<T>(visitor: QueuedRequest, work: () => Promise<T>): Promise<T> {
    if (visitor.client === undefined) return this.#inTurn(visitor, work);
    const client = addressKey(visitor.client);
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#limits.ofOneClient) throw new FairQueueError({ code: "tooMany" });
    this.#counts.set(client, count + 1);
    try {
      return await this.#inTurn({ ...visitor, client }, work);
    } finally {
      const left = this.#counts.get(client)! - 1;
      this.#counts.set(client, left);
      if (left === 0) for (const facts of [this.#counts, this.#served]) facts.delete(client);
    }
  }

  async #inTurn<T>(visitor: QueuedRequest, work: () => Promise<T>): Promise<T> {
    await this.#enter(visitor);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #enter({ client = "", signal, bytes = 0 }: QueuedRequest): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(new FairQueueError({ code: "cancelled" }));
    if (this.#running < this.#limits.running) {
      this.#letIn(client);
      return Promise.resolve();
    }
    if (!this.#makeRoom(client, bytes)) return Promise.reject(new FairQueueError({ code: "busy" }));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        this.#forget(waiting);
      };
      const enter = () => {
        leave();
        this.#letIn(client);
        resolve();
      };
      const refuse = (code: FairQueueRejection) => {
        leave();
        reject(new FairQueueError({ code }));
      };
      const cancel = () => refuse("cancelled");
      const waiting: Waiting = { client, bytes, enter, refuse };
      const timer = setTimeout(() => refuse("waitedTooLong"), this.#limits.longestWaitMs);
      signal?.addEventListener("abort", cancel, { once: true });
      this.#remember(waiting);
    });
  }

  /** @returns whether there is room for one more waiting request */
  #makeRoom(client: string, bytes: number): boolean {
    const { waiting, waitingBytes = Number.POSITIVE_INFINITY } = this.#limits;
    while (this.#waiting > 0) {
      const isFull = this.#waiting >= waiting;
      if (!isFull && this.#waitingBytes + bytes <= waitingBytes) return true;
      const newest = isFull ? this.#newestOf(client, 1, () => 1) : this.#newestOf(client, bytes, (one) => one.bytes);
      if (newest === undefined) return false;
      newest.refuse("busy");
    }
    return waiting > 0;
  }

  /** The newest one of the client that has most, if that is more than another one would have. */
  #newestOf(client: string, more: number, sizeOf: (waiting: Waiting) => number): Waiting | undefined {
    let newest: Waiting | undefined;
    const all = (queue: Iterable<Waiting>) => [...queue].reduce((sum, waiting) => sum + sizeOf(waiting), 0);
    let most = all(this.#queues.get(client) ?? []) + more;
    for (const queue of this.#queues.values()) {
      const size = all(queue);
      if (size > most) [newest, most] = [[...queue].at(-1), size];
    }
    return newest;
  }

  #letIn(client: string): void {
    this.#running += 1;
    this.#visitors += 1;
    this.#served.set(client, this.#visitors);
  }

  #next(): void {
    while (this.#running < this.#limits.running) {
      const next = this.#longestUnserved();
      if (next === undefined) return;
      next.enter();
    }
  }

  /** The first of the client that was let in longest ago. */
  #longestUnserved(): Waiting | undefined {
    let found: Waiting | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [client, queue] of this.#queues) {
      const served = this.#served.get(client) ?? 0;
      if (served >= earliest) continue;
      earliest = served;
      found = queue.values().next().value;
    }
    return found;
  }

  #remember(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.client);
    if (queue === undefined) this.#queues.set(waiting.client, new Set([waiting]));
    else queue.add(waiting);
    this.#waiting += 1;
    this.#waitingBytes += waiting.bytes;
  }

  #forget(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.client);
    if (queue?.delete(waiting) !== true) return;
    this.#waiting -= 1;
    this.#waitingBytes -= waiting.bytes;
    if (queue.size === 0) this.#queues.delete(waiting.client);
  }
}

/** Why a gate lets nobody in. */
export type GateRefusal = "tooMany" | "busy" | "cancelled" | "waitedTooLong";

/** A gate did not let somebody in. */
export class GateError extends Error {
  constructor(readonly failure: { readonly code: GateRefusal }) {
    super(`The gate is shut: ${failure.code}`);
    this.name = "GateError";
  }
}

/** How many a gate lets in, and lets wait. */
export interface GateLimits {
  /** At once, of all. */
  readonly running: number;
  /** Of one client, running and waiting. */
  readonly ofOneClient: number;
  /** Of all clients. */
  readonly waiting: number;
  readonly longestWaitMs: number;
}

interface Waiting {
  readonly enter: () => void;
}

/**
 * Lets in so many at once, one of each client in turn: who asks for much waits for itself, not for others.
 *
 * @spec 50 §1.11
 */
export class FairGate {
  readonly #limits: GateLimits;
  /** Clients in turn, each with who waits of it. */
  readonly #queues = new Map<string, Set<Waiting>>();
  readonly #counts = new Map<string, number>();
  #running = 0;
  #waiting = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work when it is its turn.
   *
   * @param client `undefined` for those who cannot be told from each other: together they have one client's turns
   * @throws {GateError}
   */
  async run<T>(client: string | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (client === undefined) return this.#inTurn("", signal, work);
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#limits.ofOneClient) throw new GateError({ code: "tooMany" });
    this.#counts.set(client, count + 1);
    try {
      return await this.#inTurn(client, signal, work);
    } finally {
      const left = this.#counts.get(client)! - 1;
      if (left === 0) this.#counts.delete(client);
      else this.#counts.set(client, left);
    }
  }

  async #inTurn<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(client, signal);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #enter(client: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new GateError({ code: "cancelled" }));
    if (this.#running < this.#limits.running) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting >= this.#limits.waiting) return Promise.reject(new GateError({ code: "busy" }));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
        this.#forget(client, waiting);
      };
      const waiting: Waiting = {
        enter: () => {
          leave();
          this.#running += 1;
          resolve();
        },
      };
      const refuse = (code: GateRefusal) => {
        leave();
        reject(new GateError({ code }));
      };
      const cancel = () => refuse("cancelled");
      const timer = setTimeout(() => refuse("waitedTooLong"), this.#limits.longestWaitMs);
      signal.addEventListener("abort", cancel, { once: true });
      this.#remember(client, waiting);
    });
  }

  #next(): void {
    while (this.#running < this.#limits.running) {
      const [client, queue] = this.#queues.entries().next().value ?? [];
      const waiting: Waiting | undefined = queue?.values().next().value;
      if (client === undefined || queue === undefined || waiting === undefined) return;
      waiting.enter();
      // Its others stand behind everybody else now.
      if (this.#queues.delete(client) && queue.size > 0) this.#queues.set(client, queue);
    }
  }

  #remember(client: string, waiting: Waiting): void {
    const queue = this.#queues.get(client);
    if (queue === undefined) this.#queues.set(client, new Set([waiting]));
    else queue.add(waiting);
    this.#waiting += 1;
  }

  #forget(client: string, waiting: Waiting): void {
    const queue = this.#queues.get(client);
    if (queue?.delete(waiting) === true) this.#waiting -= 1;
    if (queue?.size === 0) this.#queues.delete(client);
  }
}

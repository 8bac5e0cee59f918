import { dropOldest } from "@vedette/errors";

/** How long a sender of deploys that cannot be executed has to wait. */
export interface BackoffPolicy {
  /** Deploys that are refused before the first wait. */
  readonly free: number;
  /** After the first of the others; it doubles with each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

export const keyWaits: BackoffPolicy = { free: 1, firstMs: 30_000, longestMs: 3_600_000 };
/** Many users may share an address, so it waits later and for a shorter time. */
export const addressWaits: BackoffPolicy = { free: 4, firstMs: 10_000, longestMs: 600_000 };

/** Counts the faults of senders, and makes no sender wait. */
export const noWaits: BackoffPolicy = { free: Number.POSITIVE_INFINITY, firstMs: 0, longestMs: 0 };

/** The time after a wait until it is forgotten. */
const rememberedMs = 3_600_000;
const maxStored = 10_000;

interface Faults {
  readonly count: number;
  readonly untilMs: number;
}

/**
 * Remembers senders of deploys that delayed others and could not be executed, and how long they must wait.
 *
 * @spec 40 §9.5
 */
export class SenderBackoff {
  readonly #rules: BackoffPolicy;
  readonly #nowMs: () => number;
  /** The last ones come last. */
  readonly #faults = new Map<string, Faults>();

  constructor(rules: BackoffPolicy, nowMs: () => number) {
    this.#rules = rules;
    this.#nowMs = nowMs;
  }

  note(sender: string): void {
    const count = this.faultsOf(sender) + 1;
    const { free, firstMs, longestMs } = this.#rules;
    const waitMs = count <= free ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(count - free - 1, 30));
    this.#faults.delete(sender);
    this.#faults.set(sender, { count, untilMs: this.#nowMs() + waitMs });
    dropOldest(this.#faults, maxStored);
  }

  /** How many deploys of a sender have held up others lately. */
  faultsOf(sender: string): number {
    const faults = this.#faults.get(sender);
    if (faults === undefined) return 0;
    if (this.#nowMs() < faults.untilMs + rememberedMs) return faults.count;
    this.#faults.delete(sender);
    return 0;
  }

  /** Milliseconds for which nothing more is taken of a sender. */
  leftMs(sender: string): number {
    const faults = this.#faults.get(sender);
    return faults === undefined ? 0 : Math.max(0, faults.untilMs - this.#nowMs());
  }
}

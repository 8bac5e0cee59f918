import { dropOldest } from "@vedette/errors";
import { RequestBudget, type RequestCounter, type RequestRate } from "../http/RequestBudget.js";

/** Which of the stretches of time that follow each other, and how long these are. */
export interface CountedWindow {
  readonly number: number;
  readonly ms: number;
}

/** Where all members of a fleet count together. */
export interface SharedCounter {
  /**
   * Adds to a count, at once and for all members.
   *
   * @param key the client or API key that it counts for
   * @returns the sum of all members in this window, with this one
   * @throws where the counter does not answer soon
   */
  add(key: string, window: CountedWindow, count: number): Promise<number>;
}

/** An event of a shared budget. */
export type SharedBudgetEvent =
  /** Members go by their own counts until the counter answers again. */
  { readonly type: "away"; readonly error: unknown } | { readonly type: "back" };

/** How a budget is shared. */
export interface SharedBudgetOptions {
  readonly counter: SharedCounter;
  readonly emit: (event: SharedBudgetEvent) => void;
  /** Unix milliseconds; the machine's, unless given. */
  readonly wallMs?: () => number;
}

/** One of this many parts of a window's limit is taken from the common count at once. */
const partsOfBurst = 50;
/** A counter that has not answered gets no requests for this time. */
const awayMs = 3_000;
const maxKeys = 20_000;

/** A member's share of a key's window. */
interface Share {
  readonly window: CountedWindow;
  /** Taken from the common count and not used yet. */
  left: number;
  isUsedUp: boolean;
  /** A request for more that is under way; resolves to whether the counter has answered. */
  asking: Promise<boolean> | undefined;
}

/**
 * The remaining requests of each address, or key, with all members of a fleet together: in each stretch of time as many
 * as it may send at once, and as long as it takes to get these back. Members take small shares from a common count, so
 * that not each request waits for it; a request that a member would refuse by itself is refused without it.
 *
 * If the counter does not answer, each member uses its own count, and no request is refused for that.
 *
 * @spec 50 §1.18
 */
export class SharedBudget implements RequestCounter {
  readonly #options: SharedBudgetOptions;
  readonly #own = new RequestBudget();
  readonly #shares = new Map<string, Share>();
  /** The next time that the counter is tried, while it does not answer. */
  #tryAgainMs: number | undefined;

  constructor(options: SharedBudgetOptions) {
    this.#options = options;
  }

  /** Takes one request. @returns seconds to wait when none is left, otherwise 0 */
  async take(key: string, nowMs: number, rate: RequestRate): Promise<number> {
    const waitSeconds = this.#own.take(key, nowMs, rate);
    if (waitSeconds > 0) return waitSeconds;
    const { wallMs = Date.now } = this.#options;
    const windowMs = Math.ceil((rate.burst / rate.requestsPerSecond) * 1_000);
    const share = this.#shareOf(key, { number: Math.floor(wallMs() / windowMs), ms: windowMs });
    // Other requests that waited for the same answer may have used all of it.
    while (share.left === 0 && !share.isUsedUp) {
      if (share.asking === undefined) {
        if (this.#tryAgainMs !== undefined && nowMs < this.#tryAgainMs) return 0;
        // One request tries; the others do not wait for it.
        if (this.#tryAgainMs !== undefined) this.#tryAgainMs = nowMs + awayMs;
        share.asking = this.#ask(key, share, rate.burst, nowMs).finally(() => {
          share.asking = undefined;
        });
      }
      if (!(await share.asking)) return 0;
    }
    if (share.left === 0) return Math.max(1, Math.ceil(((share.window.number + 1) * windowMs - wallMs()) / 1_000));
    share.left -= 1;
    return 0;
  }

  async #ask(key: string, share: Share, burst: number, nowMs: number): Promise<boolean> {
    const { counter, emit } = this.#options;
    const wanted = Math.max(1, Math.floor(burst / partsOfBurst));
    try {
      const total = await counter.add(key, share.window, wanted);
      share.left = Math.min(wanted, Math.max(0, burst - (total - wanted)));
      share.isUsedUp = share.left === 0;
      if (this.#tryAgainMs !== undefined) emit({ type: "back" });
      this.#tryAgainMs = undefined;
      return true;
    } catch (error) {
      if (this.#tryAgainMs === undefined) emit({ type: "away", error });
      this.#tryAgainMs = nowMs + awayMs;
      return false;
    }
  }

  #shareOf(key: string, window: CountedWindow): Share {
    const known = this.#shares.get(key);
    const isSame = known?.window.number === window.number && known.window.ms === window.ms;
    const share = isSame ? known : { window, left: 0, isUsedUp: false, asking: undefined };
    this.#shares.delete(key);
    this.#shares.set(key, share);
    dropOldest(this.#shares, maxKeys);
    return share;
  }
}

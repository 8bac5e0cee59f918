import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";

const pauseMs = 10_000;
const capacity = 10_000;

/** How often a block is tried as long as nothing has changed: both copies (40 §4.2). */
const maxTries = 2;

/** The facts that a failure may depend on. */
export interface Circumstances {
  /**
   * The facts that the check saw; it fails again as long as they are the same. `undefined`: the machine failed, not the
   * check.
   */
  readonly seen: string | undefined;
  /** Verdicts that were taken back by then; after one the pauses begin anew. */
  readonly revisions: number;
  /** Whether it could not be judged; else it was refused. */
  readonly isException: boolean;
}

interface Failure extends Circumstances {
  readonly atMs: number;
  readonly count: number;
  /** The failures of these in the same circumstances. */
  readonly inVain: number;
}

/**
 * Blocks that were refused without being recorded, or could not be judged. They may pass later (a clock that goes
 * wrong, a block that is needed after all), but each try costs a replay, and what fails by what the node knows of the
 * chain fails again until it knows more.
 *
 * @spec 40 §5.9, §17.3
 */
export class RecentFailures {
  readonly #nowMs: () => number;
  readonly #failures = new Map<string, Failure>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How often the block has failed. */
  count(hash: Uint8Array): number {
    return this.#failures.get(hashKey(hash))?.count ?? 0;
  }

  /** Blocks that could not be judged the last time. */
  get unjudged(): number {
    let count = 0;
    for (const { isException } of this.#failures.values()) if (isException) count += 1;
    return count;
  }

  /** Notes a failure. @returns how often the block has failed in these circumstances */
  add(hash: Uint8Array, circumstances: Circumstances): number {
    const key = hashKey(hash);
    const before = this.#failures.get(key);
    const { seen, revisions } = circumstances;
    const count = before?.revisions === revisions ? before.count + 1 : 1;
    const inVain = seen !== undefined && before?.seen === seen ? before.inVain + 1 : 1;
    this.#failures.delete(key);
    this.#failures.set(key, { ...circumstances, atMs: this.#nowMs(), count, inVain });
    dropOldest(this.#failures, capacity);
    return inVain;
  }

  /** The block is in the DAG now. */
  settled(hash: Uint8Array): void {
    this.#failures.delete(hashKey(hash));
  }

  /** Whether another try would see what the last ones saw. */
  isFutile(hash: Uint8Array, seen: string): boolean {
    const failure = this.#failures.get(hashKey(hash));
    return failure !== undefined && failure.seen === seen && failure.inVain >= maxTries;
  }

  /**
   * Whether the block failed so lately that it is not worth another try. The pause grows with every failure, and begins
   * anew when verdicts were taken back.
   */
  isRecent(hash: Uint8Array, revisions: number): boolean {
    const failure = this.#failures.get(hashKey(hash));
    if (failure === undefined) return false;
    const times = failure.revisions === revisions ? Math.min(failure.count - 1, 10) : 0;
    return this.#nowMs() - failure.atMs < pauseMs * 2 ** times;
  }
}

import { hashKey } from "@vedette/protocol";

const pauseMs = 10_000;
const capacity = 10_000;

interface Failure {
  atMs: number;
  count: number;
}

/**
 * Blocks that were refused without being recorded, or could not be judged. They may pass later (a clock that goes
 * wrong, a block that is needed after all), but each try costs a replay.
 *
 * @spec 40 §5.9
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

  /** Notes a failure. */
  add(hash: Uint8Array): void {
    const key = hashKey(hash);
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, { atMs: this.#nowMs(), count });
    if (this.#failures.size <= capacity) return;
    for (const oldest of this.#failures.keys()) {
      this.#failures.delete(oldest);
      return;
    }
  }

  /** Whether the block failed so lately that it is not worth another try. The pause grows with every failure. */
  isRecent(hash: Uint8Array): boolean {
    const failure = this.#failures.get(hashKey(hash));
    if (failure === undefined) return false;
    return this.#nowMs() - failure.atMs < pauseMs * 2 ** Math.min(failure.count - 1, 10);
  }
}

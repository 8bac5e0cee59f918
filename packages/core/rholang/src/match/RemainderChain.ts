/** Shorter lists may be searched target by target. */
const manyTargets = 64;

/**
 * Which targets the places of a remainder hold, where there are many.
 *
 * PERF: a pattern that takes such a target displaces its place, which takes the next target and displaces the one there,
 * and so on to the first target that no place of the remainder has. As all of them pass the same tests, it comes to the
 * same when only the first one moves.
 *
 * @spec 22 §1.8
 */
export class RemainderChain {
  /** 1 for a target that a place of the remainder can take, and none has. */
  readonly #ends: Uint8Array;
  readonly #isClosed: Uint8Array;
  readonly #areAllClosed: boolean;

  private constructor(isClosed: Uint8Array) {
    this.#isClosed = isClosed;
    this.#ends = isClosed.slice();
    this.#areAllClosed = !isClosed.includes(0);
  }

  /** @returns `undefined` where there is no remainder, or few targets */
  static of<T>(
    targets: readonly T[],
    remainders: number,
    isClosed: (target: T) => boolean,
  ): RemainderChain | undefined {
    if (remainders === 0 || targets.length < manyTargets) return undefined;
    return new RemainderChain(Uint8Array.from(targets, (target) => (isClosed(target) ? 1 : 0)));
  }

  /** A copy that goes its own way from here. */
  copy(): RemainderChain {
    const copy = new RemainderChain(this.#isClosed);
    copy.#ends.set(this.#ends);
    return copy;
  }

  /** A target has another holder. */
  note(target: number, isRemainder: boolean): void {
    this.#ends[target] = isRemainder ? 0 : this.#isClosed[target]!;
  }

  /**
   * The next target, from one on, at which a place of the remainder does not displace another.
   *
   * @param see is called with the ranges of those that are passed, the end not included
   */
  next(from: number, see: (start: number, end: number) => void): number {
    const found = this.#ends.indexOf(1, from);
    const end = found < 0 ? this.#ends.length : found;
    if (this.#areAllClosed) see(from, end);
    else for (let at = from; at < end; at += 1) if (this.#isClosed[at] === 1) see(at, at + 1);
    return end;
  }
}

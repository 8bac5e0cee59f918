/**
 * Enumerates the ways to choose `low` to `high` of `size` elements.
 *
 * rnode's recursive definition yields the choices in the order of binary counting, the first element being
 * the lowest bit, without those that have too few or too many bits. This finds the next such number directly, so
 * that nothing is built ahead of its use.
 *
 * @spec 22 §1.5, §8.3
 * @cost each step grows with `size`
 */
export class Subsets {
  /** 1 where an element is chosen; valid after {@link first} or {@link next} gave true. */
  readonly chosen: Uint8Array;
  private readonly low: number;
  private readonly high: number;

  constructor(
    readonly size: number,
    low: number,
    high: number,
  ) {
    this.chosen = new Uint8Array(size);
    this.low = Math.max(low, 0);
    this.high = Math.min(high, size);
  }

  /** Goes to the first choice. @returns false where there is none */
  first(): boolean {
    if (this.high < 0 || this.low > this.high) return false;
    this.fill(this.size, this.low);
    return true;
  }

  /** Goes to the next choice. @returns false where there is none */
  next(): boolean {
    const chosen = this.chosen;
    let above = 0;
    for (let i = 0; i < this.size; i += 1) above += chosen[i]!;
    // Raise the lowest bit that can be raised; what lies below it starts again with as few bits as are needed.
    for (let i = 0; i < this.size; i += 1) {
      if (chosen[i] === 1) {
        above -= 1;
      } else if (above < this.high && above + 1 + i >= this.low) {
        chosen[i] = 1;
        this.fill(i, Math.max(0, this.low - above - 1));
        return true;
      }
    }
    return false;
  }

  private fill(end: number, count: number): void {
    this.chosen.fill(1, 0, count);
    this.chosen.fill(0, count, end);
  }
}

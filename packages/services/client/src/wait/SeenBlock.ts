/** After so long every member of a fleet has what one had; and who asks another chain is not kept from it. */
const heldMs = 60_000;

/**
 * The highest block that a client was told of since it wrote something: it wants no answer from before that, whichever
 * node gives it. So it reads what it has written, and never goes back.
 *
 * @spec 50 §1.16
 */
export class SeenBlock {
  readonly #nowMs: () => number;
  #number: number | undefined;
  #untilMs = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Something was written. */
  begin(): void {
    this.#number = this.least() ?? 0;
    this.#untilMs = this.#nowMs() + heldMs;
  }

  /** An answer came. @param header its `Vedette-Block`; `null` where the node does not tell */
  answered(header: string | null): void {
    const least = this.least();
    const told = /^([0-9]{1,15})(;|$)/.exec(header ?? "")?.[1];
    if (least === undefined || told === undefined) return;
    if (Number(told) > least) this.#untilMs = this.#nowMs() + heldMs;
    this.#number = Math.max(least, Number(told));
  }

  /** The least height of an answer that is wanted; `undefined` where any will do. */
  least(): number | undefined {
    return this.#nowMs() < this.#untilMs ? this.#number : undefined;
  }

  /** The chain was set back. */
  forget(): void {
    this.#untilMs = 0;
  }
}

/** After this time every member of a fleet has what one had; and a client may move to another chain. */
const heldMs = 60_000;

/**
 * The highest block that any node named to a client since it wrote something. The client refuses answers from before
 * that block, whichever node gives them. So it reads what it has written, and never goes back.
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

  /** Takes note of an answer. @param header its `Vedette-Block`; `null` where the node sends none */
  answered(header: string | null): void {
    const least = this.least();
    const reported = /^([0-9]{1,15})(;|$)/.exec(header ?? "")?.[1];
    if (least === undefined || reported === undefined) return;
    if (Number(reported) > least) this.#untilMs = this.#nowMs() + heldMs;
    this.#number = Math.max(least, Number(reported));
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

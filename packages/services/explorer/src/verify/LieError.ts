import type { Lie } from "./Finding.js";

/** Evidence contradicts the node. */
export class LieError extends Error {
  override readonly name = "LieError";
  readonly lies: readonly Lie[];

  constructor(...lies: readonly Lie[]) {
    super(lies.map(({ field }) => field).join(", "));
    this.lies = lies;
  }
}

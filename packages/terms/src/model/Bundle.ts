import type { Par } from "./Par.js";

/** `bundle+ { body }` and its kin: what may be done with the name of `body`. @spec 20 §5 (message Bundle) */
export class Bundle {
  cachedSize = -1;
  constructor(
    readonly body: Par,
    readonly writeFlag: boolean,
    readonly readFlag: boolean,
  ) {}
}

import { WireError } from "../wire/WireError.js";
import type { Block } from "./Block.js";

/**
 * Checks of a peer's block that its number is one. No chain has a block below genesis, and no node of rnode takes
 * one, so that none refers to it. Above there is no bound here: what a validator signs may cost its stake (40 §5.3),
 * and later blocks refer to it.
 *
 * @throws {WireError} `numberOutOfRange`
 * @spec 40 §4.4 step 2
 */
export function checkBlockNumbers(block: Block): void {
  if (block.number < 0n) throw new WireError({ code: "numberOutOfRange", field: "blockNumber", value: block.number });
}

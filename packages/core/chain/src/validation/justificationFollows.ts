import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BlockStatus } from "./BlockStatus.js";

/**
 * Check 9: there are justifications for exactly the validators that the main parent has bonded, without stake too.
 *
 * @spec 40 §5.4
 */
export function checkJustificationFollows(
  block: Block,
  mainParent: BlockMetadata | undefined,
): BlockStatus | undefined {
  // rnode fails on such a block; it is neither accepted nor slashed for.
  if (mainParent === undefined) return { status: "BlockException", message: "block has no parents" };
  const justified = new Set(block.justifications.map(({ validator }) => hashKey(validator)));
  const bonded = mainParent.bonds.stakes;
  let same = justified.size === bonded.size;
  for (const validator of justified) same &&= bonded.has(validator);
  if (same) return undefined;
  return {
    status: "InvalidFollows",
    justified: block.justifications.map(({ validator }) => validator),
    bonded: mainParent.bonds.bonds.map(({ validator }) => validator),
  };
}

import type { SpaceDialect } from "../form/SpaceDialect.js";
import { kindOfKeys } from "./historyKey.js";
import { LeafError } from "./LeafError.js";

/**
 * Whether a leaf, which has the hash that it should have, is of the kind of its key: where the hash does not cover what
 * a leaf holds, somebody may have sent or stored a true leaf as another one.
 *
 * @param firstByte of the key
 * @spec 61 §2.2
 */
export function isLeafOf(
  { uncoveredKind }: Pick<SpaceDialect, "uncoveredKind">,
  bytes: Uint8Array,
  firstByte: number,
): boolean {
  if (uncoveredKind === undefined) return true;
  try {
    return uncoveredKind(bytes) === kindOfKeys(firstByte);
  } catch (error) {
    if (error instanceof LeafError) return false;
    throw error;
  }
}

import type { SpaceDialect } from "../form/SpaceDialect.js";
import { kindOfKeys } from "./historyKey.js";
import { LeafError } from "./LeafError.js";

/**
 * Whether a leaf with the expected hash is of the kind of its key. Where the hash does not cover the kind, a peer may
 * have sent a true leaf in the place of another one.
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

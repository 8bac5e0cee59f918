import { blake2b256, equalBytes } from "@vedette/crypto";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { LeafError } from "./LeafError.js";

/** A node or a leaf of a state, and the hash by which the tree names it. */
export interface StatePiece {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * Whether bytes from anywhere are the node or the leaf that a state's tree names by this hash.
 *
 * Where a leaf's hash does not cover its beginning, other pieces must not pass for leaves. @spec 61 §2.2
 */
export function isPieceOf(
  bytes: Uint8Array,
  hash: Uint8Array,
  { leafHash, checkUncovered }: Pick<SpaceDialect, "leafHash" | "checkUncovered">,
): boolean {
  if (equalBytes(blake2b256(bytes), hash)) return true;
  if (checkUncovered === undefined || !equalBytes(leafHash(bytes), hash)) return false;
  try {
    checkUncovered(bytes);
    return true;
  } catch (error) {
    if (error instanceof LeafError) return false;
    throw error;
  }
}

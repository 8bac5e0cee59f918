import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";

/**
 * A proof that a validator broke the rules: two of its blocks that follow the same own block, or one invalid block.
 *
 * @spec 40 §16.2
 */
export interface SlashingEvidence {
  /** Public key of the offender, 65 bytes. */
  readonly validator: Uint8Array;
  readonly validatorKey: string;
  /** The block that a slash names, 32 bytes: of two sides the one with the smaller hash. */
  readonly first: Uint8Array;
  /** The other side; `undefined` when the first is an invalid block. */
  readonly second: Uint8Array | undefined;
}

/** Evidence of two blocks of one validator that build on the same own block. */
export function equivocationEvidence(validator: Uint8Array, left: Uint8Array, right: Uint8Array): SlashingEvidence {
  const [first, second] = compareBytes(left, right) < 0 ? [left, right] : [right, left];
  return { validator, validatorKey: hashKey(validator), first, second };
}

/** A block that is invalid by its content and its past. */
export function invalidBlockEvidence(validator: Uint8Array, hash: Uint8Array): SlashingEvidence {
  return { validator, validatorKey: hashKey(validator), first: hash, second: undefined };
}

/**
 * Chooses, of two proofs against a validator, the one that all nodes name.
 *
 * @spec 40 §16.3
 */
export function canonicalEvidence(left: SlashingEvidence, right: SlashingEvidence): SlashingEvidence {
  const order = compareBytes(left.first, right.first) || compareSeconds(left.second, right.second);
  return order <= 0 ? left : right;
}

/** An invalid block comes before two sides. */
function compareSeconds(left: Uint8Array | undefined, right: Uint8Array | undefined): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
  return compareBytes(left, right);
}

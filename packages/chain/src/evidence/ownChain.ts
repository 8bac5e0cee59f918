import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/**
 * The block of the same validator that a block stands on; `undefined` for a validator's first one, which justifies the
 * block that bonded it.
 *
 * @throws {ChainError} `blockMissing`
 * @spec 40 §16.2
 */
export function ownBlockBefore(dag: Pick<DagView, "require">, block: BlockMetadata): BlockMetadata | undefined {
  const hash = block.selfJustification;
  if (hash === undefined) return undefined;
  const before = dag.require(hash);
  return before.senderKey === block.senderKey ? before : undefined;
}

/** Where two own blocks of one validator part. A side is absent when its block stands under the other one. */
export interface Parting {
  readonly left: BlockMetadata | undefined;
  readonly right: BlockMetadata | undefined;
}

/**
 * Walks down from two own blocks of one validator to the last that both stand on.
 *
 * @returns the first block of each side above it
 * @throws {ChainError} `blockMissing`
 * @spec 40 §16.2
 * @cost one look-up for each own block between
 */
export function separate(dag: Pick<DagView, "require">, one: BlockMetadata, other: BlockMetadata): Parting {
  let left: BlockMetadata | undefined;
  let right: BlockMetadata | undefined;
  let a: BlockMetadata | undefined = one;
  let b: BlockMetadata | undefined = other;
  while (a?.key !== b?.key) {
    const [aNumber, bNumber] = [a?.sequenceNumber ?? -1, b?.sequenceNumber ?? -1];
    if (a !== undefined && aNumber >= bNumber) {
      left = a;
      a = ownBlockBefore(dag, a);
    }
    if (b !== undefined && bNumber >= aNumber) {
      right = b;
      b = ownBlockBefore(dag, b);
    }
  }
  return { left, right };
}

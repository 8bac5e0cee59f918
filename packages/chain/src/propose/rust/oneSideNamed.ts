import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { EquivocationRecord, EquivocationView } from "../../equivocation/EquivocationTable.js";
import { childShownBy } from "../../validation/rust/equivocationSeen.js";

/**
 * Justifications that show one side alone of each offender who made two blocks at once: the one that the others' latest
 * blocks show, where that is one. With both, no block is valid until what is final has the slash, and no block could
 * have the slash.
 *
 * Ours: the newer node names the latest block, whatever the others show, and makes no block any more.
 *
 * @throws {ChainError} `blockMissing`
 * @spec 61 §15.1
 */
export function oneSideNamed(
  dag: DagView,
  justifications: readonly Justification[],
  equivocations: Pick<EquivocationView, "records">,
): readonly Justification[] {
  let named = justifications;
  for (const record of equivocations.records()) named = withOneSide(dag, named, record);
  return named;
}

function withOneSide(
  dag: DagView,
  justifications: readonly Justification[],
  record: EquivocationRecord,
): readonly Justification[] {
  const isOfOffender = ({ validator }: Justification) => hashKey(validator) === record.validatorKey;
  const own = justifications.find(isOfOffender);
  if (own === undefined) return justifications;
  const others = justifications
    .filter((one) => !isOfOffender(one))
    .map(({ latestBlockHash }) => dag.find(latestBlockHash));
  const sides = new Set(others.flatMap((block) => childShownBy(record, block, dag)?.key ?? []));
  const side = childShownBy(record, dag.find(own.latestBlockHash), dag);
  if (sides.size !== 1 || (side !== undefined && sides.has(side.key))) return justifications;
  const newest = newestOf(others.flatMap((block) => blockNamedBy(block, record, dag) ?? []));
  if (newest === undefined) return justifications;
  return justifications.map((one) => (isOfOffender(one) ? { ...one, latestBlockHash: newest.hash } : one));
}

function blockNamedBy(
  block: BlockMetadata | undefined,
  { validatorKey }: EquivocationRecord,
  dag: DagView,
): BlockMetadata | undefined {
  const hash = block?.justificationOf(validatorKey);
  const named = hash === undefined ? undefined : dag.find(hash);
  return named?.senderKey === validatorKey ? named : undefined;
}

function newestOf(blocks: readonly BlockMetadata[]): BlockMetadata | undefined {
  let newest: BlockMetadata | undefined;
  for (const block of blocks) if (newest === undefined || block.sequenceNumber > newest.sequenceNumber) newest = block;
  return newest;
}

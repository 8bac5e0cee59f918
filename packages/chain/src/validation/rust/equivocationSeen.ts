import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { BondSet } from "../../dag/BondSet.js";
import type { DagView } from "../../dag/DagView.js";
import type { EquivocationRecord, EquivocationView } from "../../equivocation/EquivocationTable.js";
import type { InvalidStatus } from "../BlockStatus.js";

/** More own blocks than a validator makes between two looks at it. */
const mostSteps = 100_000;

/**
 * Nobody with stake has made two blocks at once that the block's justifications show, the block's slashes or not.
 *
 * Quirk 61 §15.1: the stake is that of the block's floor, so that a slash does not help: who has built on one of the two
 * blocks and then hears of the other can make no valid block until what is final has the slash.
 *
 * @spec 61 §15.1
 * @throws {ChainError} `blockMissing`
 */
export function checkEquivocationSeen(
  block: Block,
  dag: DagView,
  equivocations: Pick<EquivocationView, "records">,
): InvalidStatus | undefined {
  const records = equivocations.records();
  if (records.length === 0) return undefined;
  const { stakes } = new BondSet(block.body.state.bonds);
  const named = new Map(
    block.justifications.map(({ validator, latestBlockHash }) => [hashKey(validator), latestBlockHash]),
  );
  for (const record of records)
    if ((stakes.get(record.validatorKey) ?? 0n) > 0n && showsBoth(record, named.values(), dag))
      return { status: "NeglectedEquivocation", validator: record.validator };
  return undefined;
}

function showsBoth(record: EquivocationRecord, named: Iterable<Uint8Array>, dag: DagView): boolean {
  const children = new Set<string>();
  for (const hash of named) {
    const child = childShownBy(record, dag.find(hash), dag);
    if (child !== undefined) children.add(child.key);
    if (children.size > 1) return true;
  }
  return false;
}

/** The first block after the record's base that the offender's block, or the one that another's block names, goes back to. */
export function childShownBy(
  { validatorKey, baseSequenceNumber }: EquivocationRecord,
  named: BlockMetadata | undefined,
  dag: DagView,
): BlockMetadata | undefined {
  if (named === undefined || named.parents.length === 0) return undefined;
  const known = named.senderKey === validatorKey ? named.hash : named.justificationOf(validatorKey);
  const isAfterBase = (block: BlockMetadata | undefined): block is BlockMetadata =>
    block !== undefined && block.senderKey === validatorKey && block.sequenceNumber > baseSequenceNumber;
  let at = known === undefined ? undefined : dag.find(known);
  if (!isAfterBase(at)) return undefined;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const before: Uint8Array | undefined = at.selfJustification;
    const below: BlockMetadata | undefined = before === undefined ? undefined : dag.require(before);
    if (!isAfterBase(below)) return at;
    at = below;
  }
  return at;
}

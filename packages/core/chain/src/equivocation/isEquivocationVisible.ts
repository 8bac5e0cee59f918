import { hashKey, type Justification } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { EquivocationRecord, EquivocationView } from "./EquivocationTable.js";

/**
 * Returns whether these justifications show that the validator equivocated.
 *
 * @spec 40 §5.6 (check 16, "can be seen")
 * @throws {ChainError} `justificationMissing` as in rnode; `blockMissing`
 */
export function isEquivocationVisible(
  record: EquivocationRecord,
  justifications: readonly Justification[],
  dag: DagView,
  equivocations: EquivocationView,
): boolean {
  const approved = dag.approvedBlock();
  const children = new Set<string>();
  for (const { latestBlockHash } of latestOfEach(justifications)) {
    if (equivocations.isDetectedIn(record, latestBlockHash)) return true;
    const justified = dag.require(latestBlockHash);
    if (justified.key === approved?.key) continue;
    const child = childOfBase(record, justified, dag);
    if (child !== undefined) children.add(child.key);
    if (children.size > 1) return true;
  }
  return false;
}

/** Returns the validator's own block right after the base that the justified block builds on or knows. */
function childOfBase(record: EquivocationRecord, justified: BlockMetadata, dag: DagView): BlockMetadata | undefined {
  let own = justified;
  if (justified.senderKey !== record.validatorKey) {
    const known = justified.justificationOf(record.validatorKey);
    if (known === undefined) throw new ChainError({ code: "justificationMissing" });
    own = dag.require(known);
  }
  if (own.sequenceNumber <= record.baseSequenceNumber) return undefined;
  let at: BlockMetadata | undefined = own;
  while (at !== undefined && at.sequenceNumber !== record.baseSequenceNumber + 1) {
    const before: Uint8Array | undefined = at.selfJustification;
    at = before === undefined ? undefined : dag.find(before);
  }
  return at;
}

/** Maps justifications by validator; if a validator is listed twice the last one counts. */
function latestOfEach(justifications: readonly Justification[]): Iterable<Justification> {
  const latest = new Map<string, Justification>();
  for (const justification of justifications) latest.set(hashKey(justification.validator), justification);
  return latest.values();
}

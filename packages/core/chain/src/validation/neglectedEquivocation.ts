import type { Block } from "@vedette/protocol";
import { BondSet } from "../dag/BondSet.js";
import type { DagView } from "../dag/DagView.js";
import type { EquivocationRecord, EquivocationView } from "../equivocation/EquivocationTable.js";
import { isEquivocationVisible } from "../equivocation/isEquivocationVisible.js";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 16: an equivocation that the creator could see has cost the validator its stake.
 *
 * @param detected takes the equivocations that the block takes notice of; they are written whatever becomes of it
 * @spec 40 §5.6
 * @throws {ChainError} as {@link isEquivocationVisible}
 */
export function checkNeglectedEquivocation(
  block: Block,
  dag: DagView,
  equivocations: EquivocationView,
  detected: EquivocationRecord[],
): InvalidStatus | undefined {
  const { stakes } = new BondSet(block.body.state.bonds);
  for (const record of equivocations.records()) {
    const stake = stakes.get(record.validatorKey);
    if (stake === undefined || stake === 0n) detected.push(record);
    else if (
      !equivocations.isOverruled(record) &&
      isEquivocationVisible(record, block.justifications, dag, equivocations)
    ) {
      return { status: "NeglectedEquivocation", validator: record.validator };
    }
  }
  return undefined;
}

/** The equivocations that a block detects: it leaves their creators no stake. @spec 40 §5.6 */
export function noticedEquivocations(block: Block, equivocations: EquivocationView): EquivocationRecord[] {
  const { stakes } = new BondSet(block.body.state.bonds);
  return equivocations.records().filter(({ validatorKey }) => (stakes.get(validatorKey) ?? 0n) === 0n);
}

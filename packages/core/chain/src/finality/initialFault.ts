import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { EquivocationView } from "../equivocation/EquivocationTable.js";
import { float32 } from "./float32.js";

/**
 * Returns the weight of the known equivocators by a block's own bonds, as a share of all; a 32-bit float.
 *
 * @returns `NaN` where no validator has stake
 * @spec 50 §1.7
 */
export function initialFault(equivocations: Pick<EquivocationView, "records">, block: BlockMetadata): number {
  const { stakes, total } = block.bonds;
  // Quirk 50 §1.7: stakes are collected in a set, so that of equivocators with equal stakes one counts.
  const counted = new Set<bigint>();
  for (const { validatorKey } of equivocations.records()) counted.add(stakes.get(validatorKey) ?? 0n);
  let weight = 0n;
  for (const stake of counted) weight += stake;
  return Math.fround(float32(BigInt.asIntN(64, weight)) / float32(total));
}

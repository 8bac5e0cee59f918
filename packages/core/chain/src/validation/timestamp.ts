import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { InvalidStatus } from "./BlockStatus.js";

/** How far ahead of the own clock a block may be. @spec 40 §11 */
const driftMs = 15_000n;

/** Check 2: not before any parent, and not later than now with some drift. @spec 40 §5.3 */
export function checkTimestamp(
  block: Block,
  parents: readonly BlockMetadata[],
  nowMs: bigint,
): InvalidStatus | undefined {
  const { timestamp } = block.header;
  let notBefore = 0n;
  parents.forEach((parent, i) => {
    if (i === 0 || parent.timestamp > notBefore) notBefore = parent.timestamp;
  });
  const notAfter = nowMs + driftMs;
  if (timestamp >= notBefore && timestamp <= notAfter) return undefined;
  return { status: "InvalidTimestamp", timestamp, notBefore, notAfter };
}

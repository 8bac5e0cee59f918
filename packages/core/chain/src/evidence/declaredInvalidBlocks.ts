import { type Block, hashKey } from "@vedette/protocol";
import { readEvidence } from "./evidenceBytes.js";

/**
 * The keys of the blocks that statements call invalid: a node that joins by state learns of invalid blocks from them.
 * Sides of an equivocation are valid, whether or not a slash names them.
 *
 * @returns `undefined` where blocks are judged by arrival, and state nothing
 * @spec 40 §3.9, §16.1
 */
export function declaredInvalidBlocks(blocks: Iterable<Block>): ReadonlySet<string> | undefined {
  const invalid = new Set<string>();
  for (const { extraBytes } of blocks) {
    const statement = readEvidence(extraBytes);
    if (statement === undefined) return undefined;
    for (const { first, second } of statement.offences) if (second === undefined) invalid.add(hashKey(first));
  }
  return invalid;
}

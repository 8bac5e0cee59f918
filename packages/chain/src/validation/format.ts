import type { Block } from "@vedette/protocol";

const maximumLinks = 4096;

/**
 * Checks that the fields which every block has are there.
 *
 * @returns the reason, as it stands in the log, or `undefined`
 * @spec 40 §5.2
 */
export function checkFormat(block: Block): string | undefined {
  if (block.hash.length === 0) return "block hash is empty.";
  if (block.signature.length === 0) return "block signature is empty.";
  if (block.signatureAlgorithm === "") return "block signature algorithm is empty.";
  if (block.shardId === "") return "block shard identifier is empty.";
  if (block.body.state.postStateHash.length === 0) return "block post state hash is empty.";
  // Ours: a real block has one of each for every validator, and a long list would cost a look-up an entry.
  const { bonds } = block.body.state;
  if (Math.max(block.parents.length, block.justifications.length, bonds.length) > maximumLinks) {
    return "block has too many parents, justifications or bonds.";
  }
  return undefined;
}

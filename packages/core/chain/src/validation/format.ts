import type { Block } from "@vedette/protocol";

const maximumLinks = 4096;
/** A deploy's log has some 400 events for its payment alone, so that the bytes of a message hold far fewer. */
const maximumDeploys = 4096;
/** One for each validator that is slashed, and the end of the block. */
const maximumSystemDeploys = maximumLinks + 1;
const maximumRejected = 16_384;
const longestKey = 128;

/**
 * Checks that the fields which every block has are there.
 *
 * @returns the reason, in the words of the log, or `undefined`
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
  const { deploys, systemDeploys, rejectedDeploys } = block.body;
  if (deploys.length > maximumDeploys || systemDeploys.length > maximumSystemDeploys)
    return "block has too many deploys.";
  if (rejectedDeploys.length > maximumRejected) return "block has too many rejected deploys.";
  const isLong = ({ validator }: { readonly validator: Uint8Array }) => validator.length > longestKey;
  if (bonds.some(isLong) || block.justifications.some(isLong)) return "block names a validator by what is no key.";
  return undefined;
}

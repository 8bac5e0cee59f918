import { type Block, hashKey } from "@vedette/protocol";

const hashBytes = 32;

/**
 * Returns the blocks that must be in the DAG before a block can be validated: its parents, its justifications, and the
 * blocks that it slashes for where these count, each once.
 *
 * @spec 40 §4.4 step 5, §17.2
 * @returns `undefined` if one of them cannot be a hash
 */
export function dependenciesOf(block: Block, slashed: readonly Uint8Array[] = []): Uint8Array[] | undefined {
  const distinct = new Map<string, Uint8Array>();
  for (const hash of block.parents) distinct.set(hashKey(hash), hash);
  for (const { latestBlockHash } of block.justifications) distinct.set(hashKey(latestBlockHash), latestBlockHash);
  for (const hash of slashed) distinct.set(hashKey(hash), hash);
  const hashes = [...distinct.values()];
  return hashes.every(({ length }) => length === hashBytes) ? hashes : undefined;
}

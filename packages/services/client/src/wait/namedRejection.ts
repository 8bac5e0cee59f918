import { ClientError } from "../failure/ClientError.js";

/** The facts of a block that show what its merge gave up. */
export interface MergingBlock {
  readonly blockHash: string;
  readonly rejectedDeploys: readonly { readonly sig: string }[];
}

/** The requests to a node. */
export interface MergeReads {
  readonly finalizedNumber: () => Promise<bigint>;
  /** Both ends included. */
  readonly blocksOfHeights: (start: bigint, end: bigint) => Promise<readonly MergingBlock[]>;
  readonly isFinalized: (hash: string) => Promise<boolean>;
}

/** Most heights in one response of a node. @spec 50 §1.9 */
const maxHeights = 50n;
/** Blocks that far above one that is final merge it no more. */
const farthest = 100n;

/**
 * Looks for a final block that names a deploy of a final block among those that its merge gave up.
 *
 * This is what rnode nodes report, and it is right where one block merges another once. Where a later merge
 * decides anew, our nodes alone know what is in the state (`/v2/deploy`).
 *
 * @spec 40 §12.3
 * @param deployId in lower-case hex
 * @returns its hash; `undefined` also where the node does not report it
 */
export async function namedRejection(
  node: MergeReads,
  deployId: string,
  blockNumber: bigint,
): Promise<string | undefined> {
  try {
    const finalized = await node.finalizedNumber();
    const last = finalized < blockNumber + farthest ? finalized : blockNumber + farthest;
    for (let start = blockNumber + 1n; start <= last; start += maxHeights) {
      const end = start + maxHeights - 1n < last ? start + maxHeights - 1n : last;
      for (const { blockHash, rejectedDeploys } of await node.blocksOfHeights(start, end)) {
        if (!rejectedDeploys.some(({ sig }) => sig.toLowerCase() === deployId)) continue;
        if (await node.isFinalized(blockHash)) return blockHash;
      }
    }
  } catch (error) {
    if (!isSilence(error)) throw error;
  }
  return undefined;
}

/** Whether the node is well and merely does not offer what was requested. */
function isSilence(error: unknown): boolean {
  return error instanceof ClientError && (error.failure.code === "notOffered" || error.failure.code === "refused");
}

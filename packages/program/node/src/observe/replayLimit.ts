import type { BlockStatus } from "@vedette/chain";
import { type Block, shortBlock } from "@vedette/protocol";

/**
 * Returns the text, for the log and the node's status, of a block that exceeds this node's limits for one block, so
 * that it was not judged.
 *
 * @returns `undefined` for any other block
 * @spec 41 §2.6
 */
export function replayLimitText(block: Block, status: BlockStatus): string | undefined {
  if (status.status !== "BlockException" || status.isLimit !== true) return undefined;
  return (
    `Block ${shortBlock(block)} goes beyond the limits of this node (${status.message}). It is neither accepted nor ` +
    'refused; its descendants wait. See docs/how-to/operations.md, "Limits of execution".'
  );
}

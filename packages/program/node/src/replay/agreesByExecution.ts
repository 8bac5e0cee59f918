import type { BlockMetadata } from "@vedette/chain";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import type { InvalidBlock } from "@vedette/execution";
import type { ExecutorClient } from "@vedette/executor/threads";
import { type Block, encodeBlock } from "@vedette/protocol";

/** Assignments of senders to invalid blocks that are tried at most. */
const maxAttempts = 256;

/**
 * Whether a block's execution leads to the state that it contains, for a block that cannot be validated because the
 * recording lacks blocks that it refers to.
 *
 * A slashing block shows its contract the invalid blocks and their senders. The senders of the recorded invalid blocks
 * are in the block's justifications. For further ones every validator is tried, and no sender at all: the recorded
 * events fit one assignment alone.
 */
export async function agreesByExecution(
  executor: Pick<ExecutorClient, "replay">,
  block: Block,
  parent: BlockMetadata,
  recordedInvalid: readonly string[],
): Promise<boolean> {
  const recorded = new Set(recordedInvalid);
  const justified: InvalidBlock[] = block.justifications
    .filter(({ latestBlockHash }) => recorded.has(toHex(latestBlockHash)))
    .map(({ validator, latestBlockHash }) => ({ blockHash: latestBlockHash, sender: validator }));
  const known = new Set(justified.map(({ blockHash }) => toHex(blockHash)));
  const further = recordedInvalid.filter((hash) => !known.has(hash)).map(fromHex);
  const validators = block.body.state.bonds.map(({ validator }) => validator);
  let attempts = 0;
  for (const extra of assignments(further, validators)) {
    attempts += 1;
    if (attempts > maxAttempts) return false;
    const answer = await executor.replay({
      block: encodeBlock(block),
      preState: parent.postStateHash,
      invalidBlocks: [...justified, ...extra],
    });
    if (answer.kind === "replayed" && equalBytes(answer.postStateHash, block.body.state.postStateHash)) return true;
  }
  return false;
}

/** Every way to give each hash one of the senders, or to leave it out. */
function* assignments(hashes: readonly Uint8Array[], senders: readonly Uint8Array[]): Generator<InvalidBlock[]> {
  const [blockHash, ...others] = hashes;
  if (blockHash === undefined) {
    yield [];
    return;
  }
  for (const rest of assignments(others, senders)) {
    yield rest;
    for (const sender of senders) yield [{ blockHash, sender }, ...rest];
  }
}

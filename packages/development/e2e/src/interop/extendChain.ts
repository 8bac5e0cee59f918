import { emptyBytes } from "@vedette/crypto";
import { openDataDirectory } from "@vedette/node/machine";
import { Block, hashBlock, rnode } from "@vedette/protocol";
import { unexecutedChain } from "@vedette/queries/testing";
import { LmdbStore, tablesOf } from "@vedette/store";

/**
 * Lengthens the chain of a stopped node by blocks without deploys.
 *
 * The blocks are not executed: each has the state of the newest one, so that a reading node can serve thousands.
 */
export async function extendChain(dataDir: string, count: number): Promise<void> {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const chain = unexecutedChain(store);
  // The number of the block that would be next.
  const next = chain.dag.nextBlockNumber();
  const [newest] = chain.dag.blocksByHeight(next - 1n, next);
  store.together(() => {
    let block = chain.blocks.find(newest!.hash)!;
    for (let made = 0; made < count; made += 1) {
      block = childOf(block);
      chain.insertTrusted(block, false);
    }
  });
}

function childOf(parent: Block): Block {
  const { sender, shardId, signature, signatureAlgorithm } = parent;
  const { postStateHash, bonds, blockNumber } = parent.body.state;
  const fields = {
    header: { parents: [parent.hash], timestamp: parent.header.timestamp + 1n, version: 1n, extraBytes: emptyBytes },
    body: {
      state: { preStateHash: postStateHash, postStateHash, bonds, blockNumber: blockNumber + 1n },
      deploys: [],
      systemDeploys: [],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
    },
    justifications: [{ validator: sender, latestBlockHash: parent.hash }],
    sequenceNumber: parent.sequenceNumber + 1,
    extraBytes: emptyBytes,
    ...{ sender, shardId, signature, signatureAlgorithm },
  };
  const unnamed = new Block({ ...fields, hash: emptyBytes });
  return new Block({ ...fields, hash: hashBlock(unnamed, rnode) });
}

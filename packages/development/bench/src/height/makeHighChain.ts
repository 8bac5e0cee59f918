import { BlockPacking } from "@vedette/chain";
import { startExecutorThread } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { SoloValidator, userDeploy } from "@vedette/node/testing";
import { Block, decodeBlock, encodeBlock, hashBlock, rnode } from "@vedette/protocol";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";

/** Blocks that are written in one transaction; the newest of them then becomes the last finalized block. */
const together = 256;
const blockMs = 5_000n;

/**
 * Makes a data directory with a chain of the given height. Only the first two blocks are executed: all others lead to
 * the same state, and every second one claims a transfer. A starting node reads as much as from an executed chain,
 * which would take hours to make.
 *
 * @param genesis of one validator, `v1`
 */
export async function makeHighChain(path: string, genesis: Block, blocks: number): Promise<void> {
  await using directory = await openDataDirectory(path, rnode.name);
  await using executor = startExecutorThread({ stateDirectory: directory.state, dialect: "rnode" });
  await using store = new BatchingStore(new LmdbStore(directory.chain, { tables: tablesOf("chain") }));
  const one = await SoloValidator.begin("v1", genesis, { executor, store, nowMs: Date.now });
  await one.proposing.submit(userDeploy("u1", `@"same"!(1) | for (_ <- @"same") { Nil }`));
  const first = await one.make();
  const packing = new BlockPacking(store, () => last.number);
  let last = first;
  for (let made = 1; made < blocks; made += 1) {
    last = following(first, last);
    one.chain.insertTrusted(last, false);
    if (made % together === 0 || made === blocks - 1) {
      const wrong = one.chain.takeFinal(last.hash, () => {});
      if (wrong !== undefined) throw new Error(`block ${last.number} of a high chain cannot be final: ${wrong}`);
      while ((await packing.step()) > 0);
      store.flush();
    }
  }
}

/** A block like the first one, after another. */
function following(first: Block, parent: Block): Block {
  const number = parent.number + 1n;
  const { body, header, sender } = first;
  const timestamp = header.timestamp - blockMs * 1_000_000n + number * blockMs;
  const deploys =
    number % 2n === 0n
      ? []
      : body.deploys.map((made) => ({
          ...made,
          deploy: { ...made.deploy, timestamp, signature: signatureOf(number) },
        }));
  const preStateHash = body.state.postStateHash;
  const content = new Block({
    ...first,
    header: { ...header, parents: [parent.hash], timestamp },
    justifications: [{ validator: sender, latestBlockHash: parent.hash }],
    body: { ...body, deploys, state: { ...body.state, preStateHash, blockNumber: number } },
    sequenceNumber: parent.sequenceNumber + 1,
  });
  const hash = hashBlock(content, rnode);
  return decodeBlock(encodeBlock(new Block({ ...content, hash })), rnode.blockForm);
}

/** Makes a signature of no key, unique for each deploy. */
function signatureOf(number: bigint): Uint8Array {
  const signature = new Uint8Array(70);
  new DataView(signature.buffer).setBigUint64(8, number);
  return signature;
}

import { join } from "node:path";
import { BlockPacking } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { openDataDirectory } from "@vedette/node/machine";
import { encodeBlock, rnode } from "@vedette/protocol";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { EventsNode } from "@vedette/server/testing";
import { LmdbStore, tablesOf } from "@vedette/store";
import type { OnDurable } from "./diskWork.js";

const blocks = 900;
/** Few promises for the blocks, so that most kills come while they are packed. */
const takenAtOnce = 90;
/** The newest stay as they are. */
const fewestPacks = Math.floor((blocks - 128) / 32);

/**
 * Puts a long chain into a data directory and packs its old blocks.
 *
 * @param promises the promises of earlier runs
 * @throws TypeError when a block is lost or another one, or a pack is
 */
export async function workOnPacking(path: string, promises: readonly string[], promised: OnDurable): Promise<void> {
  await using directory = await openDataDirectory(path, rnode.name);
  await using store = new LmdbStore(join(directory.path, "chain"), { tables: tablesOf("chain") });
  await using node = await EventsNode.start({ store });
  const { chain } = node;
  const made = new FakeEventChain();
  made.grow(blocks);
  const countOf = (kind: string) => promises.filter((promise) => promise.startsWith(kind)).length;
  const check = (count: number) => {
    for (const block of made.blocks.slice(0, count))
      if (!equalBytes(chain.blocks.findBytes(block.hash) ?? new Uint8Array(0), encodeBlock(block)))
        throw new TypeError(`block ${block.number} is lost, or another one`);
  };
  // Beside the packs there is a note of how far they go.
  const packs = () => Math.max(0, store.table("packedBlocks").count() - 1);
  check(countOf("blocks") * takenAtOnce);
  if (packs() < countOf("pack ")) throw new TypeError(`of ${countOf("pack ")} packs ${packs()} are left`);
  promised("ready");
  for (let from = 0; from < made.blocks.length; from += takenAtOnce) {
    const missing = made.blocks.slice(from, from + takenAtOnce).filter(({ hash }) => !chain.dag.has(hash));
    if (missing.length === 0) continue;
    await node.take(missing);
    promised("blocks");
  }
  const packing = new BlockPacking(store, () => chain.dag.lastFinalized()?.number);
  while ((await packing.step(true)) > 0) promised(`pack ${packs()}`);
  check(made.blocks.length);
  if (packs() < fewestPacks) throw new TypeError(`${packs()} packs are too few for ${blocks} blocks`);
}

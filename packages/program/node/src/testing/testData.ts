import { join } from "node:path";
import { Dag } from "@vedette/chain";
import { encodeEarlierMetadata } from "@vedette/chain/testing";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { accountGenesis } from "./AccountNode.js";
import { lyingExecutor } from "./lyingExecutor.js";
import { fillWithGenesis, type SoloOptions, SoloValidator, userDeploy } from "./SoloValidator.js";

/** The special features of a chain. */
export interface MadeDataOptions extends Pick<SoloOptions, "nowMs"> {
  /** The height of a block that leads elsewhere than it states. */
  readonly liesAt?: number;
}

/** Makes a data directory with a chain of this many blocks, as a validator leaves it. */
export async function makeData(
  path: string,
  blocks: number,
  { liesAt = -1, ...clock }: MadeDataOptions = {},
): Promise<void> {
  await using directory = await openDataDirectory(path, rnode.name);
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  await using states = new LmdbStore(directory.state, { tables: tablesOf("state") });
  const executor = lyingExecutor(executorHere(new RnodeExecutor(states)), BigInt(liesAt));
  const genesis = await accountGenesis();
  await fillWithGenesis(states, genesis);
  const one = new SoloValidator("v1", await executor.makeEmptyState(), { store, executor, ...clock });
  await one.beginOn(genesis);
  for (let number = 1; number <= blocks; number += 1) {
    const validAfterBlockNumber = BigInt(number - 1);
    const term = `@"same"!(${number}) | for (_ <- @"same") { Nil }`;
    await one.proposing.submit(userDeploy("u1", term, { validAfterBlockNumber }));
    await one.make();
  }
}

/** Stores every node as a whole, and what is known of blocks with all names, as earlier versions did. */
export async function storeAsEarlier(path: string): Promise<void> {
  {
    await using chain = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
    const dag = new Dag(chain);
    const blocks = [...dag.blocksByHeight(0n, dag.nextBlockNumber())].map(({ hash }) => dag.require(hash));
    chain.write((tables) => {
      for (const block of blocks) tables("blockMetadata").put(block.hash, encodeEarlierMetadata(block));
      for (const { bonds } of blocks) tables("bondSets").delete(bonds.hash);
    });
  }
  await using store = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
  const states = new StateStore(store);
  const changed = [...store.table("changedHistory").range()].map(([hash]) => ({
    hash,
    bytes: states.nodeBytes(hash)!,
  }));
  store.write((tables) => {
    for (const { hash, bytes } of changed) {
      tables("history").put(hash, bytes);
      tables("changedHistory").delete(hash);
    }
  });
}

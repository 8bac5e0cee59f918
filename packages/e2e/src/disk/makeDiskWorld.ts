import { accountGenesis, SoloValidator } from "@vedette/node/testing";
import type { Block, Deploy } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { StateExecutor } from "@vedette/workers";
import { executorHere } from "@vedette/workers/testing";
import { type DiskWorld, deploysAt, importedAt, lineLength, severalParents, stateTables, timeAt } from "./diskWorld.js";

const rounds = 3;

/** Makes the blocks, in memory. */
export async function makeDiskWorld(): Promise<DiskWorld> {
  const genesis = await accountGenesis();
  const line = await makeLine(genesis);
  return { genesis, line, merging: await makeMerging(genesis), states: await statesOf(genesis, line) };
}

/** What somebody has who has executed the line so far. */
async function statesOf(genesis: Block, line: readonly Block[]): Promise<DiskWorld["states"]> {
  const store = new MemoryStore(tablesOf("state"));
  const executor = executorHere(new StateExecutor(store));
  const options = { executor, rules: severalParents, nowMs: () => timeAt(lineLength) };
  const server = await SoloValidator.begin("v2", genesis, options);
  for (const block of line.slice(0, importedAt)) await taken(server, block);
  const entries = stateTables.map((name) => [name, [...store.table(name).range()]]);
  return Object.fromEntries(entries) as DiskWorld["states"];
}

async function makeLine(genesis: Block): Promise<Block[]> {
  let height = 0;
  const v1 = await SoloValidator.begin("v1", genesis, { nowMs: () => timeAt(height) });
  const blocks: Block[] = [];
  for (height = 1; height <= lineLength; height += 1) blocks.push(await madeWith(v1, deploysAt(height, "u1")));
  return blocks;
}

async function makeMerging(genesis: Block): Promise<Block[]> {
  let height = 0;
  const options = { nowMs: () => timeAt(height), rules: severalParents };
  const v1 = await SoloValidator.begin("v1", genesis, options);
  const v2 = await SoloValidator.begin("v2", genesis, options);
  const blocks: Block[] = [];
  for (let round = 0; round < rounds; round += 1) {
    height += 1;
    const ours = await madeWith(v1, deploysAt(height, "u1"));
    const theirs = await madeWith(v2, deploysAt(height, "u2"));
    await taken(v1, theirs);
    await taken(v2, ours);
    height += 1;
    const merging = await madeWith(v1, deploysAt(height, "u3"));
    if (merging.parents.length !== 2) throw new TypeError("nothing is merged");
    await taken(v2, merging);
    blocks.push(ours, theirs, merging);
  }
  return blocks;
}

async function madeWith(validator: SoloValidator, deploys: readonly Deploy[]): Promise<Block> {
  for (const deploy of deploys) await validator.proposing.submit(deploy);
  return validator.make();
}

async function taken(validator: SoloValidator, block: Block): Promise<void> {
  const status = await validator.take(block);
  if (status !== "Valid") throw new TypeError(`a block of the test is ${status}`);
}

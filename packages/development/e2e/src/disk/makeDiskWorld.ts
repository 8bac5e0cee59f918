import { RnodeExecutor } from "@vedette/executor";
import { executorHere, stateExecutorOf } from "@vedette/executor/testing";
import { accountGenesis, type SoloOptions, SoloValidator, testNetwork } from "@vedette/node/testing";
import type { Block, Deploy, Dialect } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { type DiskFixture, deploysAt, importedAt, lineLength, rulesOf, stateTables, timeAt } from "./diskWorld.js";

const rounds = 3;

/** Makes the blocks, in memory. */
export async function makeDiskWorld(dialect: Dialect["name"] = "rnode"): Promise<DiskFixture> {
  const genesis = await accountGenesis(dialect);
  const beginning = { dialect, genesis };
  const line = await makeLine(beginning);
  const merging = await makeMerging(beginning);
  return { ...beginning, line, merging, states: dialect === "rnode" ? await statesOf(genesis, line) : noStates };
}

type Beginning = Pick<DiskFixture, "dialect" | "genesis">;

const noStates: DiskFixture["states"] = { history: [], changedHistory: [], cold: [] };

async function validatorOf(
  { dialect, genesis }: Beginning,
  name: string,
  options: SoloOptions,
): Promise<SoloValidator> {
  const executor = executorHere(stateExecutorOf(dialect, new MemoryStore(tablesOf("state"))));
  return SoloValidator.begin(name, genesis, { network: testNetwork(dialect), executor, ...options });
}

/** The state tables of a node that has executed the line up to the imported height. */
async function statesOf(genesis: Block, line: readonly Block[]): Promise<DiskFixture["states"]> {
  const store = new MemoryStore(tablesOf("state"));
  const executor = executorHere(new RnodeExecutor(store));
  const options = { executor, rules: rulesOf("rnode"), nowMs: () => timeAt(lineLength) };
  const server = await SoloValidator.begin("v2", genesis, options);
  for (const block of line.slice(0, importedAt)) await taken(server, block);
  const entries = stateTables.map((name) => [name, [...store.table(name).range()]]);
  return Object.fromEntries(entries) as DiskFixture["states"];
}

async function makeLine(beginning: Beginning): Promise<Block[]> {
  let height = 0;
  const { dialect } = beginning;
  const v1 = await validatorOf(beginning, "v1", { nowMs: () => timeAt(height), rules: rulesOf(dialect) });
  const blocks: Block[] = [];
  for (height = 1; height <= lineLength; height += 1) blocks.push(await madeWith(v1, deploysAt(height, "u1", dialect)));
  return blocks;
}

async function makeMerging(beginning: Beginning): Promise<Block[]> {
  let height = 0;
  const { dialect } = beginning;
  const options = { nowMs: () => timeAt(height), rules: rulesOf(dialect) };
  const v1 = await validatorOf(beginning, "v1", options);
  const v2 = await validatorOf(beginning, "v2", options);
  const blocks: Block[] = [];
  for (let round = 0; round < rounds; round += 1) {
    height += 1;
    const ours = await madeWith(v1, deploysAt(height, "u1", dialect));
    const theirs = await madeWith(v2, deploysAt(height, "u2", dialect));
    await taken(v1, theirs);
    await taken(v2, ours);
    height += 1;
    const merging = await madeWith(v1, deploysAt(height, "u3", dialect));
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

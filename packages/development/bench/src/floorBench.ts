import { f1r3nodeChain, testKey } from "@vedette/chain/testing";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { F1r3nodeStates } from "@vedette/execution";
import {
  ExecutingNode,
  type F1r3nodeBeginning,
  F1r3nodeTestNetwork,
  f1r3nodeTransferTerm,
  ownBeginning,
} from "@vedette/executor/testing";
import { type Block, type Deploy, f1r3node, signBlock, signDeploy } from "@vedette/protocol";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { type Measurements, quantile } from "./Measurements.js";

const warmRounds = 3;
const recordedChains = ["solo-r", "trio-r"] as const;
const users = ["u1", "u2", "u3"] as const;

/** How much is measured. */
export interface FloorBenchOptions {
  readonly rounds: number;
  /** Blocks of one merge. */
  readonly mergedBlocks: number;
}

/**
 * Every block of the recorded chains of f1r3node, executed and checked in one thread on an empty store in memory, for
 * the given number of rounds: the first of all from the start of the process, then with more and more compiled.
 *
 * @spec 61 §10, §14
 */
export async function benchRecordedFloors(measurements: Measurements, rounds: number): Promise<void> {
  for (const name of recordedChains) {
    const chain = f1r3nodeChain(name)?.map(({ block }) => block);
    if (chain === undefined) {
      measurements.skip(`replay of ${name}`, "the recording is not there");
      continue;
    }
    for (let round = 0; round < rounds; round += 1) {
      const which = round === 0 ? "first" : "again";
      const { ms, processorMs } = await replayed(chain);
      measurements.add(`replay of ${name} with genesis, ${which}`, (chain.length / ms) * 1000, "blocks/s");
      measurements.add(`replay of ${name}, a block, of a processor, ${which}`, processorMs / chain.length, "ms");
    }
  }
}

async function replayed(chain: readonly Block[]): Promise<{ readonly ms: number; readonly processorMs: number }> {
  const node = new ExecutingNode();
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  for (const block of chain) {
    const wrong = await node.take(block);
    if (wrong !== undefined) throw new Error(`block #${block.number} differs: ${JSON.stringify(wrong)}`);
  }
  return { ms: performance.now() - begunMs, processorMs: processorMs(begun) };
}

/**
 * A f1r3node network in one process: rounds in which three validators propose at once and contest one cell, and the
 * merge of many blocks that are side by side.
 *
 * @spec 61 §12, §17
 */
export async function benchFloors(
  measurements: Measurements,
  { rounds, mergedBlocks }: FloorBenchOptions,
): Promise<void> {
  const beginning = ownBeginning();
  await benchRounds(measurements, beginning, rounds);
  benchMerge(measurements, beginning, mergedBlocks);
}

async function benchRounds(measurements: Measurements, beginning: F1r3nodeBeginning, rounds: number): Promise<void> {
  const network = await F1r3nodeTestNetwork.begin(beginning);
  await network.fillCell();
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let round = 1; round <= warmRounds + rounds; round += 1) {
    network.contest(round);
    const [begunMs, begun] = [performance.now(), process.cpuUsage()];
    const { refusals } = await network.round();
    if (refusals.length > 0) throw new Error(refusals.join());
    if (round <= warmRounds) continue;
    times.push(performance.now() - begunMs);
    processorTimes.push(processorMs(begun));
  }
  const name = "a contested round of three validators in one process";
  measurements.add(`${name}, median`, quantile(times, 0.5), "ms");
  measurements.add(`${name}, longest`, Math.max(...times), "ms");
  measurements.add(`${name}, of a processor, median`, quantile(processorTimes, 0.5), "ms");
  measurements.add("deploys given up by merges meanwhile", network.rejections().deploys, "deploys");
}

function benchMerge(
  measurements: Measurements,
  { block: genesis, stateStore }: F1r3nodeBeginning,
  count: number,
): void {
  const states = new F1r3nodeStates(stateStore, new StateStore(stateStore, { form: f1r3nodeSpace }));
  const { postStateHash: baseState } = genesis.body.state;
  const blocks = Array.from({ length: count }, (_, index) => sideBlock(states, genesis, index));
  const merged = blocks.sort((left, right) => Buffer.compare(left.hash, right.hash));
  const request = { merged, baseState, lineage: [], settled: new Set<string>(), lateUpTo: -50n, recorded: [] };
  for (const which of ["first", "again"]) {
    const [begunMs, begun] = [performance.now(), process.cpuUsage()];
    states.merge({ ...request, priorRejections: new Map() });
    const name = `a merge of ${count} blocks side by side, ${which}`;
    measurements.add(name, performance.now() - begunMs, "ms");
    measurements.add(`${name}, of a processor`, processorMs(begun), "ms");
  }
}

/** Others may share the machine. */
function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** A block on genesis that contests a cell with each third of the others, and moves something between vaults. */
function sideBlock(states: F1r3nodeStates, genesis: Block, index: number): Block {
  const key = testKey(`side ${index}`);
  const { postStateHash: preState } = genesis.body.state;
  const blockData = { timestamp: 1n, blockNumber: 1n, sender: key.publicKey, sequenceNumber: 1 };
  const addressOf = (name: string) => vaultAddressOfPublicKey(testKey(name).publicKey)!;
  const [from, to] = [users[index % 3]!, users[(index + 1) % 3]!];
  const deploys = [
    deployOf(from, `@"cell ${index}"!(1) | for (@x <- @"cell ${index - 3}") { Nil }`, index),
    deployOf(from, f1r3nodeTransferTerm(addressOf(from), addressOf(to), index + 1), index + 1_000),
  ];
  const played = states.play({
    ...{ preState, blockData, deploys, invalidBlocks: [] },
    systemDeploys: [{ kind: "closeBlock" }],
  });
  const state = { preStateHash: preState, postStateHash: played.postState, bonds: [], blockNumber: 1n };
  const nothing = new Uint8Array(0);
  const { deploys: processed, systemDeploys } = played;
  const fields = {
    ...{ hash: nothing, justifications: [], sender: nothing, sequenceNumber: 1, signature: nothing, shardId: "root" },
    header: { parents: [genesis.hash], timestamp: 1n, version: 1n, extraBytes: nothing },
    body: { state, deploys: processed, systemDeploys, extraBytes: nothing, rejectedDeploys: [] },
    ...{ signatureAlgorithm: "", extraBytes: nothing, form: f1r3node.blockForm },
  };
  return signBlock(fields, key, f1r3node);
}

function deployOf(user: string, term: string, timestamp: number): Deploy {
  const unsigned = { term, timestamp: BigInt(timestamp), phloPrice: 1n, phloLimit: 1_000_000n, shardId: "root" };
  return signDeploy({ ...unsigned, validAfterBlockNumber: 0n }, { algorithm: "secp256k1", ...testKey(user) });
}

import { rnodeRules } from "@vedette/light";
import { type Block, hashKey } from "@vedette/protocol";
import { SeededRandom } from "../random/SeededRandom.js";
import { foundLedgerNetwork } from "../run/foundNetwork.js";
import { drawScenario } from "../run/Scenario.js";
import { Simulation } from "../run/Simulation.js";
import { conflictOfTakeover } from "./conflictOfTakeover.js";
import { LyingServer } from "./LyingServer.js";

/** The result of a network with blocks that a lying server showed to light clients. */
export interface LightOutcome {
  readonly blocks: number;
  /** Blocks beside the final chain that were offered to clients. */
  readonly sideBlocks: number;
  readonly lies: number;
  /** Choices of blocks that were tried. */
  readonly tried: number;
  /** Final blocks that clients accepted. */
  readonly shown: number;
  /** Whether a client that sees a chain signed by all validators beside the final one reports both; absent without evidence for the final one. */
  readonly reportsTakeover: boolean | undefined;
  /** The faults; empty if all properties hold. */
  readonly wrong: readonly string[];
}

/**
 * Runs a network with a liar below the threshold, and shows its blocks to light clients as a server chooses that has all
 * blocks in existence. No client may accept a block that no honest node finalizes.
 *
 * Then all validators sign a second chain, which is above the threshold: a client that queries servers of both must
 * report the evidence.
 *
 * @param maxSteps events with faults, at most
 * @spec 70 §1.2, §9
 */
export async function simulateLight(seed: number, maxSteps = 600): Promise<LightOutcome> {
  const random = new SeededRandom(seed, "light");
  const steps = random.from(80, maxSteps);
  const request = { seed, steps, execution: "fake", rule: "evidence", liars: true, maxNodes: 6 } as const;
  const scenario = drawScenario(request);
  const founded = foundLedgerNetwork(scenario);
  const simulation = new Simulation(scenario, founded);
  const { failure, lies } = await simulation.run();
  const { allBlocks, lastFinal } = simulation;
  const genesis = founded.approved.candidate.block;
  const final = mainChain(lastFinal, allBlocks);
  const isFinal = new Set(final.map(({ hash }) => hashKey(hash)));
  const rules = rnodeRules(scenario.threshold);
  const server = new LyingServer(allBlocks, { trusted: [genesis, random.pick(final)], rules, random });
  const top = hashKey(lastFinal.hash);
  const standsOnFinal = (block: Block) => mainChain(block, allBlocks).some(({ hash }) => hashKey(hash) === top);
  const isBeside = (block: Block) => !isFinal.has(hashKey(block.hash)) && !standsOnFinal(block);
  const accepted = server.accepted(isBeside);
  const wrong = accepted.map(({ number }) => `a client accepts a block of height ${number} beside the final chain`);
  if (failure !== undefined) wrong.push(failure.message);
  const shown = server.accepted(({ hash }) => isFinal.has(hashKey(hash))).length;
  const { tried } = server;
  const takeover = await conflictOfTakeover({ scenario, blocks: allBlocks, lastFinal, genesis, rules });
  if (takeover === false) wrong.push("a chain that all validators signed beside the final one is not reported");
  const sideBlocks = allBlocks.filter(isBeside).length;
  return { blocks: allBlocks.length, sideBlocks, lies, tried, shown, reportsTakeover: takeover, wrong };
}

/** From a block down to genesis. */
function mainChain(from: Block, all: readonly Block[]): readonly Block[] {
  const byHash = hashTable(all);
  const chain: Block[] = [];
  for (let at: Block | undefined = from; at !== undefined; ) {
    chain.push(at);
    const parent: Uint8Array | undefined = at.parents[0];
    at = parent === undefined ? undefined : byHash.get(hashKey(parent));
  }
  return chain;
}

const tables = new WeakMap<readonly Block[], ReadonlyMap<string, Block>>();

function hashTable(all: readonly Block[]): ReadonlyMap<string, Block> {
  let table = tables.get(all);
  if (table === undefined) tables.set(all, (table = new Map(all.map((block) => [hashKey(block.hash), block]))));
  return table;
}

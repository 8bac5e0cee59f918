import { expect } from "vitest";
import { type F1r3nodeBeginning, F1r3nodeTestNetwork } from "./F1r3nodeTestNetwork.js";

/** How a network of three validators is tried. */
export interface ContestedRounds {
  /** In which all propose at once, with deploys that contest one cell. */
  readonly rounds: number;
  /** Rounds without new deploys in which all that were rejected must have come in. */
  readonly afterwards: number;
}

/** The result of the rounds. */
export interface ContestedResult {
  readonly blocks: number;
  readonly rejections: { readonly records: number; readonly deploys: number };
  readonly lastFinalized: number;
  readonly count: bigint;
}

/**
 * Three validators propose at once, again and again, and contest one cell: all must find all blocks valid, agree on what
 * is final, and in the end each deploy that contested must have its effect once.
 */
export async function checkContestedRounds(
  beginning: F1r3nodeBeginning,
  { rounds, afterwards }: ContestedRounds,
): Promise<ContestedResult> {
  const network = await F1r3nodeTestNetwork.begin(beginning);
  await network.fillCell();
  for (let round = 1; round <= rounds; round += 1) {
    network.contest(round);
    await checkRound(network);
  }
  checkAgreement(network);
  for (let round = 1; round <= afterwards; round += 1) await checkRound(network);
  checkAgreement(network);
  const last = network.validators[0]!.chain.blocks.find(network.validators[0]!.chain.dag.lastFinalized()!.hash)!;
  return {
    blocks: network.blocks.length,
    rejections: network.rejections(),
    lastFinalized: Number(last.number),
    count: network.countAfter(last),
  };
}

/** Checks that all nodes accept every block, and that blocks have deploys exactly where the maker's outlook had one. */
async function checkRound(network: F1r3nodeTestNetwork): Promise<void> {
  const waits: boolean[] = [];
  for (const { proposer } of network.validators) waits.push((await proposer.conditions()).hasWaitingDeploy);
  const { blocks, refusals } = await network.round();
  expect(refusals).toEqual([]);
  expect(blocks.map(({ body }) => body.deploys.length > 0)).toEqual(waits);
}

function checkAgreement(network: F1r3nodeTestNetwork): void {
  const [first, ...others] = network.views();
  for (const other of others) expect(other).toEqual(first);
}

import { expect } from "vitest";
import type { ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";

/** The facts on which all nodes of a network agree, up to the lowest of their finalized heights. */
export interface Agreement {
  readonly finalized: number;
  readonly blocks: readonly ListedBlock[];
}

/**
 * Checks that all nodes have the same finalized chain, the same state after each of its blocks, and that no validator
 * has made two blocks with one sequence number.
 *
 * @param equivocator public key of a validator that has, in hexadecimal digits; both its blocks may be seen (40 §16.2)
 */
export async function expectAgreement(
  network: NetworkProcesses,
  names = network.names,
  equivocator?: string,
): Promise<Agreement> {
  const heights = await Promise.all(names.map((name) => network.heights(name)));
  const finalized = Math.min(...heights.map((one) => one?.finalized ?? 0));
  const lists = await Promise.all(names.map((name) => network.blocks(name, 0, finalized)));
  const chains = await Promise.all(names.map((name, at) => finalizedChain(network, name, lists[at]!)));
  for (const [at, chain] of chains.entries()) {
    expect(chain.map(stateLine), `${names[at]} and ${names[0]} have the same finalized blocks`).toEqual(
      chains[0]!.map(stateLine),
    );
  }
  for (const [at, blocks] of lists.entries()) {
    const honest = blocks.filter(({ sender }) => sender !== equivocator);
    expect(equivocations(honest), `blocks of ${names[at]}`).toEqual([]);
  }
  return { finalized, blocks: chains[0]! };
}

/** The main chain from a node's last finalized block down, cut to the heights of a list. */
async function finalizedChain(
  network: NetworkProcesses,
  name: string,
  blocks: readonly ListedBlock[],
): Promise<ListedBlock[]> {
  const top = Math.max(...blocks.map(({ blockNumber }) => blockNumber));
  const { blockInfo } = (await network.get(name, "/api/last-finalized-block")) as { blockInfo: ListedBlock };
  let block = blockInfo;
  const above = await network.blocks(name, top, blockInfo.blockNumber);
  const byHash = new Map([...above, ...blocks].map((one) => [one.blockHash, one]));
  const chain: ListedBlock[] = [];
  for (;;) {
    if (block.blockNumber <= top) chain.push(block);
    const parent = block.parentsHashList[0];
    const next = parent === undefined ? undefined : byHash.get(parent);
    if (next === undefined) return chain.reverse();
    block = next;
  }
}

function stateLine({ blockNumber, blockHash, postStateHash }: ListedBlock): string {
  return `#${blockNumber} ${blockHash} ${postStateHash}`;
}

/** Pairs of blocks with the same creator and sequence number. */
export function equivocations(blocks: readonly ListedBlock[]): string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const { sender, seqNum, blockHash } of blocks) {
    if (sender === "") continue;
    const key = `${sender} ${seqNum}`;
    const other = seen.get(key);
    if (other !== undefined && other !== blockHash) found.push(`${key}: ${other}, ${blockHash}`);
    seen.set(key, blockHash);
  }
  return found;
}

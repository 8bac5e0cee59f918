import { toHex } from "@vedette/crypto";
import { openReadOnly } from "@vedette/node/data";
import { expect } from "vitest";
import type { NetworkProcesses } from "./NetworkProcesses.js";

/** A node's data about a block on disk: its states, whether the block is valid, and the derived floor. */
interface Judgement {
  readonly number: bigint;
  readonly states: string;
  readonly isInvalid: boolean;
  /** Floor and frontier (61 §13); `undefined` where the node has not written them. */
  readonly floor: string | undefined;
}

/** The extent of the common data of the nodes. */
export interface SameJudgements {
  /** Up to the lowest of the nodes' last finalized blocks. */
  readonly blocks: number;
  readonly invalid: number;
  /** Blocks of which two nodes at least have a floor on disk. */
  readonly floors: number;
}

/**
 * Ends nodes and compares what they have on disk: of each block, up to the lowest of their last finalized blocks, all
 * have the same states, the same verdict and the same floor. All have each valid block; an invalid one without blocks
 * on it may be missing at some.
 */
export async function expectSameJudgements(
  network: NetworkProcesses,
  names: readonly string[],
): Promise<SameJudgements> {
  for (const name of names) await network.stop(name);
  const judgements = await Promise.all(names.map((name) => judgementsOf(network.node(name).plan.directory)));
  const height = judgements.map(({ finalized }) => finalized).reduce((one, other) => (one < other ? one : other));
  const [hashes, invalid, floors] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { blocks } of judgements)
    for (const [hash, { number, isInvalid }] of blocks) {
      if (number > height) continue;
      hashes.add(hash);
      if (isInvalid) invalid.add(hash);
    }
  for (const hash of hashes) {
    const found = judgements.flatMap(({ blocks }, at) => {
      const one = blocks.get(hash);
      return one === undefined ? [] : [{ name: names[at]!, ...one }];
    });
    const what = `#${found[0]!.number} ${hash}`;
    if (!invalid.has(hash)) expect(found, `${what} is everywhere`).toHaveLength(names.length);
    for (const { name, states, isInvalid, floor } of found) {
      const [first] = found;
      expect({ states, isInvalid }, `${what} at ${name}`).toEqual({
        states: first!.states,
        isInvalid: first!.isInvalid,
      });
      const others = found.filter((one) => one.name !== name && one.floor !== undefined);
      if (floor === undefined || others.length === 0) continue;
      floors.add(hash);
      expect(floor, `floor of ${what} at ${name}`).toBe(others[0]!.floor);
    }
  }
  return { blocks: hashes.size, invalid: invalid.size, floors: floors.size };
}

async function judgementsOf(
  directory: string,
): Promise<{ readonly finalized: bigint; readonly blocks: ReadonlyMap<string, Judgement> }> {
  await using data = await openReadOnly(directory);
  const blocks = new Map<string, Judgement>();
  const stored = data.chain.table("floors");
  for (const block of data.dag.blocksByPrefix("", Number.MAX_SAFE_INTEGER)) {
    const floor = stored.get(block.hash);
    blocks.set(toHex(block.hash), {
      ...{ number: block.number, isInvalid: block.invalid },
      states: `${toHex(block.preStateHash)} ${toHex(block.postStateHash)}`,
      floor: floor === undefined ? undefined : toHex(floor),
    });
  }
  return { finalized: data.dag.lastFinalized()!.number, blocks };
}

import { toHex } from "@vedette/crypto";
import { rejectedIdsOf } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { chainsThatAreThere, ownChain } from "@vedette/testing";
import { MergeError } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { ExecutionError } from "../ExecutionError.js";
import { type RecordedMoment, recordedReplay } from "../testing/recordedReplay.js";
import { blockChains } from "./blockChains.js";
import { StateMerger } from "./StateMerger.js";

describe.each(chainsThatAreThere("merge"))("merging of blocks of chain %s", (chain) => {
  let moments: readonly RecordedMoment[] = [];
  beforeAll(() => {
    moments = [...recordedReplay(chain)];
  });

  test("every block with several parents begins with the merged state and the rejections that it states", () => {
    const several = moments.filter(({ merged }) => merged !== undefined);
    expect(several).toHaveLength(chain === ownChain ? 4 : 12);
    for (const { merged, block, name } of several) {
      expect(toHex(merged!.stateHash), name).toBe(toHex(block.body.state.preStateHash));
      expect(merged!.rejectedDeploys, name).toEqual(rejectedIdsOf(block.body));
      const rejectedIn = merged!.rejections.map(({ deployId }) => toHex(deployId));
      expect([...new Set(rejectedIn)].sort(), name).toEqual(rejectedIdsOf(block.body).map(toHex));
    }
  });

  test("the order in which the blocks are given does not matter", () => {
    const { states, store, siblings, base } = siblingsOf(moments);
    const one = new StateMerger(states, store).merge(base, siblings);
    const other = new StateMerger(states, store).merge(base, siblings.slice().reverse());
    expect(other).toEqual(one);
  });

  test("no blocks leave the base as it is", () => {
    const { states, store, base } = siblingsOf(moments);
    expect(new StateMerger(states, store).merge(base, [])).toEqual({
      stateHash: base,
      rejectedDeploys: [],
      rejections: [],
    });
  });

  test("a block that was not executed here cannot be merged", () => {
    const { states, siblings, base } = siblingsOf(moments);
    const merger = new StateMerger(states, new MemoryStore(tablesOf("state")));
    expect(() => merger.merge(base, siblings)).toThrow(MergeError);
    expect(() => merger.merge(base, siblings)).toThrow(/^Mergeable store invalid state hash [0-9a-f]{64}\.$/);
  });

  test("more chains than allowed are not merged", () => {
    const { states, store, siblings, base } = siblingsOf(moments);
    const merger = new StateMerger(states, store, { maxChains: 3 });
    expect(() => merger.merge(base, siblings)).toThrow(ExecutionError);
    expect(() => merger.merge(base, siblings)).toThrow(
      "The deploys of 2 blocks are more than 3 chains, too many to merge",
    );
  });

  test("what is kept of number channels must be as much as there are deploys", () => {
    const { states, siblings } = siblingsOf(moments);
    const { deploys, systemDeploys } = siblings[0]!.body;
    expect(() => blockChains(states, siblings[0]!, [])).toThrow(
      `Cache of mergeable channels (0) doesn't match deploys count (${deploys.length + systemDeploys.length}).`,
    );
  });
});

/** The two blocks of height 1, and the state that both begin with. */
function siblingsOf(moments: readonly RecordedMoment[]) {
  const [genesis, ...siblings] = moments.slice(0, 3);
  const { states, store, block } = genesis!;
  return { states, store, siblings: siblings.map((moment) => moment.block), base: block.body.state.postStateHash };
}

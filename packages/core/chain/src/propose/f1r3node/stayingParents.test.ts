import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../../testing/TestDag.js";
import { stayingParents } from "./stayingParents.js";

const rules = { maximumParents: 10, maximumParentDepth: 15 };

/** v4 makes a block, on which v1 and then v2 go on; v3 goes on from genesis. */
function scene(stakes: Readonly<Record<string, number>> = { v1: 10, v2: 10, v3: 10, v4: 4 }) {
  const made = new TestDag(stakes);
  const { dag, genesis } = made;
  const all = { v1: genesis, v2: genesis, v3: genesis, v4: genesis };
  const side = made.add({ creator: "v4", parents: [genesis], justifications: all });
  const first = made.add({ creator: "v1", parents: [side], justifications: { ...all, v4: side } });
  const own = made.add({ creator: "v2", parents: [side, first], justifications: { ...all, v1: first, v4: side } });
  const other = made.add({ creator: "v3", parents: [genesis], justifications: all });
  const found = (block: Block) => dag.require(block.hash);
  const votes = [
    { validator: validatorKey("v1"), block: found(first) },
    { validator: validatorKey("v2"), block: found(own) },
    { validator: validatorKey("v3"), block: found(other) },
  ];
  const choose = (chosen: readonly Block[], ownLatest: Block = own, limits: Partial<typeof rules> = {}) =>
    stayingParents(chosen.map(found), { dag, votes, own: found(ownLatest), rules: { ...rules, ...limits } }).map(
      ({ hash }) => hash,
    );
  return { side, first, own, other, choose };
}

const hashes = (...blocks: readonly Block[]) => blocks.map(({ hash }) => hash);

test("a validator stays on the side of most of the stake, with a set of parents that no other one has", () => {
  const { side, first, own, other, choose } = scene();
  expect(choose([other, first, own])).toEqual(hashes(own, other, first, side));
  expect(choose([other, first, own], own, { maximumParents: 3 })).toEqual(hashes(own, other));
});

test("it follows f1r3node's choice where that has the own side, or the own side has no such stake", () => {
  const { first, own, other, choose } = scene();
  expect(choose([own, first, other])).toEqual(hashes(own, first, other));
  expect(choose([other, first, own], other)).toEqual(hashes(other, first, own));
  const light = scene({ v1: 10, v2: 10, v3: 20, v4: 4 });
  const chosen = [light.other, light.first, light.own];
  expect(light.choose(chosen)).toEqual(hashes(...chosen));
});

import { type Block, hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { chooseParents } from "../propose/chooseParents.js";
import { slashingsOn } from "../propose/slashings.js";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { abandonedBranchFilter } from "./abandonedBranchFilter.js";

const stakes = { v1: 10, v2: 10, v3: 10, v4: 3 };

/** v4 makes two sides; v1 received the first one first, and v2 builds on it; v3 builds on the other one. */
function scene() {
  const made = new TestDag(stakes);
  const { dag, genesis } = made;
  const all = { v1: genesis, v2: genesis, v3: genesis, v4: genesis };
  const firstSide = made.add({ creator: "v4", parents: [genesis], justifications: all });
  const own = made.add({ creator: "v1", parents: [genesis], justifications: all });
  const before = made.add({ creator: "v2", parents: [genesis], justifications: all });
  const onFirst = made.add({ creator: "v2", parents: [before], justifications: { ...all, v2: before, v4: firstSide } });
  const other = made.add({ creator: "v4", parents: [genesis], justifications: all, invalid: true });
  const onOther = made.add({ creator: "v3", parents: [genesis], justifications: { ...all, v4: other } });
  const named = () => {
    const view = { main: dag.require(genesis.hash), senderKey: hashKey(validatorKey("v1")), slashesUnconfirmed: false };
    const { justifications, toSlash } = slashingsOn(dag, { ...view, own: dag.require(own.hash) });
    expect(toSlash).toEqual([]);
    return new Map(justifications.map(({ validator, latestBlockHash }) => [hashKey(validator), latestBlockHash]));
  };
  const parents = () => {
    const chooser = { validatorKey: hashKey(validatorKey("v1")), nowMs: 0 };
    const rules = { maximumParents: 10, maximumParentDepth: undefined };
    return chooseParents(dag, dag.require(genesis.hash), { chooser, rules, emit() {} }).map(({ key }) => key);
  };
  const follow = () => dag.revise(other.hash, "AdmissibleEquivocation");
  return { made, dag, genesis, own, firstSide, before, onFirst, other, onOther, named, parents, follow };
}

const keyOf = (name: string) => hashKey(validatorKey(name));
const keys = (...blocks: readonly Block[]) => blocks.map(({ hash }) => hashKey(hash)).sort();

test("a side is given up when the verdict on another one is taken back, with all that accepts it", () => {
  const { dag, own, firstSide, before, onFirst, other, onOther, follow } = scene();
  expect([firstSide, onFirst].map(({ hash }) => abandonedBranchFilter(dag)(dag.require(hash)))).toEqual([false, false]);
  follow();
  const isGivenUp = abandonedBranchFilter(dag);
  expect([firstSide, onFirst].map(({ hash }) => isGivenUp(dag.require(hash)))).toEqual([true, true]);
  expect([own, before, other, onOther].map(({ hash }) => isGivenUp(dag.require(hash)))).not.toContain(true);
});

test("a validator that followed the majority names no block on the side that it gave up", () => {
  const { before, onFirst, firstSide, genesis, other, onOther, own, named, follow } = scene();
  expect(named().get(keyOf("v2"))).toEqual(onFirst.hash);
  expect(named().get(keyOf("v4"))).toEqual(genesis.hash);
  follow();
  expect(named().get(keyOf("v2"))).toEqual(before.hash);
  expect(named().get(keyOf("v4"))).toEqual(other.hash);
  expect(named().get(keyOf("v3"))).toEqual(onOther.hash);
  expect(named().get(keyOf("v1"))).toEqual(own.hash);
  expect([...named().values()]).not.toContainEqual(firstSide.hash);
});

test("nor takes it for a parent", () => {
  const { own, onFirst, onOther, other, parents, follow } = scene();
  expect(parents().sort()).toEqual(keys(own, onFirst, onOther));
  follow();
  expect(parents().sort()).toEqual(keys(own, onOther, other));
});

test("a final block is on no side that was given up", () => {
  const { dag, firstSide, onFirst, follow } = scene();
  follow();
  dag.recordFinalized(dag.require(firstSide.hash), []);
  expect(abandonedBranchFilter(dag)(dag.require(onFirst.hash))).toBe(false);
});

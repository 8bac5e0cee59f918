import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { memoryStateStore } from "../../history/memoryStateStore.js";
import { StateView } from "../../history/StateView.js";
import { emptyRoot } from "../../history/updateTree.js";
import { type DeployChain, systemDeployId } from "../deployChain.js";
import { emptyIndex } from "../eventIndex.js";
import { emptyStateChange } from "../stateChange.js";
import { mergeSideParents, type SideParentBlock } from "./mergeSideParents.js";

const base = new StateView(memoryStateStore(), emptyRoot);
const hashOf = (name: string) => blake2b256(new TextEncoder().encode(name));
const idOf = (name: string) => toHex(hashOf(name));
const channel = idOf("number");

/** @param deploys names of users' deploys @param difference of one number channel */
function chain(deploys: readonly string[], difference?: bigint): DeployChain {
  return {
    deploys: deploys.map((name) => ({ id: hashOf(name), cost: 1n })),
    index: difference === undefined ? emptyIndex : { ...emptyIndex, numberChannels: new Map([[channel, difference]]) },
    ...{ change: emptyStateChange, postState: emptyRoot },
  };
}

function block(
  key: string,
  parents: readonly string[],
  chains: readonly DeployChain[],
  rejected: readonly string[] = [],
): SideParentBlock {
  return { key, parents, chains, rejectedIds: new Set(rejected.map(idOf)) };
}

function summaryOf(outcome: ReturnType<typeof mergeSideParents>) {
  const names = (placed: readonly { readonly block: SideParentBlock; readonly chain: DeployChain }[]) =>
    placed.map(({ block: of, chain: one }) => `${of.key}:${of.chains.indexOf(one)}`);
  return {
    kept: outcome.kept.length,
    rejected: names(outcome.rejected),
    repeated: names(outcome.repeated),
    ids: [...outcome.rejectedIds],
  };
}

test("a deploy that the main parent has too is there once, and is not given up", () => {
  const main = block("main", [], [chain(["a"])]);
  const other = block("other", [], [chain(["a"]), chain(["b"])]);
  expect(summaryOf(mergeSideParents([main], [other], base))).toEqual({
    kept: 1,
    rejected: [],
    repeated: ["other:0"],
    ids: [],
  });
});

test("of deploys that stand or fall together those are given up that the main parent does not have", () => {
  const main = block("main", [], [chain(["a"])]);
  const other = block("other", [], [chain(["a", "b"])]);
  const ids = [idOf("b")];
  expect(summaryOf(mergeSideParents([main], [other], base))).toEqual({
    kept: 0,
    rejected: ["other:0"],
    repeated: [],
    ids,
  });
});

test("what was given up on the main parent's line does not come back by another copy", () => {
  const [first, second] = [block("first", [], []), block("second", [], [chain(["a"])])];
  const main = block("main", ["first", "second"], [], ["a"]);
  const other = block("other", [], [chain(["a"])]);
  const ids = [idOf("a")];
  expect(summaryOf(mergeSideParents([first, second, main], [other], base))).toEqual({
    ...{ kept: 0, rejected: ["other:0"], repeated: [], ids },
  });
});

test("a copy that another block merged is kept on the line where that block does not name it", () => {
  const [first, second] = [block("first", [], []), block("second", [], [chain(["a"])])];
  const main = block("main", ["first", "second"], []);
  const other = block("other", [], [chain(["a"])]);
  expect(summaryOf(mergeSideParents([first, second, main], [other], base)).repeated).toEqual(["other:0"]);
});

test("numbers stay in their range, in the order of the blocks", () => {
  const main = block("main", [], []);
  const spending = block("one", [], [chain(["a"], -5n), chain(["b"], 5n), chain(["c"], -3n)]);
  const more = block("two", [], [chain(["d"], -3n), chain(["e"], (1n << 63n) - 2n), chain(["f"], -2n)]);
  const ids = ["a", "d", "e"].map(idOf);
  const rejected = ["one:0", "two:0", "two:1"];
  expect(summaryOf(mergeSideParents([main], [spending, more], base))).toEqual({ kept: 3, rejected, repeated: [], ids });
});

test("system deploys alone are not given up, as no block could name them", () => {
  const of: DeployChain = { ...chain([], -5n), deploys: [{ id: systemDeployId(hashOf("x"), "closeBlock"), cost: 0n }] };
  expect(summaryOf(mergeSideParents([block("main", [], [])], [block("other", [], [of])], base)).kept).toBe(1);
});

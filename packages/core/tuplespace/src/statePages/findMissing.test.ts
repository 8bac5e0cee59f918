import { blake2b256 } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { diffStates } from "../history/diffStates.js";
import { StatePruning } from "../history/StatePruning.js";
import { StateStore, stateTables } from "../history/StateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { putSharedSubtrees } from "../testing/sharedSubtrees.js";
import { exportItems } from "./exportItems.js";
import { findMissing } from "./findMissing.js";
import { importItems } from "./importItems.js";

/** A tree of few nodes in very many places. */
function sharedTree() {
  const store = new MemoryStore(tablesOf("state"));
  const nodes = putSharedSubtrees(store);
  return { store, states: new StateStore(store), root: blake2b256(nodes.at(-1)!), nodes: nodes.length };
}

test("a tree of few nodes in very many places is refused, instead of being walked for ever", () => {
  const { states, root } = sharedTree();
  expect(() => findMissing(states, root)).toThrow("the same nodes again and again");
});

test("of such a tree a page has no more nodes than are requested, and a second copy of it brings nothing new", () => {
  const { states, root } = sharedTree();
  const request = { startPath: [{ hash: root, index: undefined }], take: 750 };
  const page = exportItems(states, request.startPath, { skip: 0, take: request.take })!;
  expect(page.historyItems).toHaveLength(request.take);
  const joining = new StateStore(new MemoryStore(tablesOf("state")));
  const first = importItems(joining, request, page);
  expect(first).toMatchObject({ isNew: true });
  const next = { startPath: first.nextPath!, take: request.take };
  const again = exportItems(states, next.startPath, { skip: 0, take: next.take })!;
  expect(importItems(joining, next, again)).toMatchObject({ isNew: false, nextPath: expect.anything() });
});

test("rounds of pruning, and the difference of two states, look at each node of such a tree once", () => {
  const { store, states, root, nodes } = sharedTree();
  store.write((tables) => tables(stateTables.roots).put(root, new Uint8Array()));
  expect(diffStates(states, root, emptyRoot).nodes).toHaveLength(nodes);
  let nowMs = 0;
  const pruning = new StatePruning(store, states, () => (nowMs += 1));
  let step = pruning.step(true, 1_000);
  while (step.phase !== "done") step = pruning.step(false, 1_000);
  expect(step).toMatchObject({ marked: nodes, removed: 0 });
});

import { type YieldToEventLoop, yieldToEventLoop } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import type { Block } from "@vedette/protocol";
import { StateQueryError, StateRoots } from "@vedette/queries";
import { MemoryStore, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { accountGenesis } from "../testing/AccountNode.js";
import { fillWithGenesis, SoloValidator, userDeploy } from "../testing/SoloValidator.js";
import { pruneOnce } from "./pruneStates.js";
import type { UpkeepEvent } from "./UpkeepEvent.js";

const window = 6n;

async function node(name: string, genesis: Block) {
  const [store, states] = [new MemoryStore(tablesOf("chain")), new MemoryStore(tablesOf("state"))];
  const executor = executorHere(new RnodeExecutor(states));
  await fillWithGenesis(states, genesis);
  const one = new SoloValidator(name, await executor.makeEmptyState(), { store, executor });
  await one.beginOn(genesis);
  return { store, states, executor, one };
}

test("a node that prunes has the states of its window, goes on with the chain, and reports what it pruned", async () => {
  const genesis = await accountGenesis();
  const archive = await node("v1", genesis);
  const pruned = await node("v2", genesis);
  const events: UpkeepEvent[] = [];
  let yields = 0;
  const yieldNow: YieldToEventLoop = () => {
    yields += 1;
    return yieldToEventLoop();
  };
  const { dag } = pruned.one.chain;
  const parts = {
    ...pruned,
    dag,
    window,
    step: 4n,
    yieldNow,
    mayPrune: () => true,
    emit: (event: UpkeepEvent) => events.push(event),
  };
  const entries: number[] = [];
  for (let number = 1; number <= 32; number += 1) {
    await archive.one.proposing.submit(userDeploy("u1", `@"same"!(${number}) | for (_ <- @"same") { Nil }`));
    const block = await archive.one.make();
    expect(await pruned.one.take(block)).toBe("Valid");
    await pruneOnce(parts, false, new AbortController().signal);
    const names = ["history", "changedHistory", "cold", "roots", "mergeable"] as const;
    entries.push(names.reduce((sum, name) => sum + pruned.states.table(name).count(), 0));
  }
  expect(events.length).toBeGreaterThan(5);
  expect(yields).toBe(0);
  const final = dag.lastFinalized()!.number;
  const [all, few] = [new StateStore(archive.states), new StateStore(pruned.states)];
  const here: bigint[] = [];
  for (const { height, hash } of archive.one.chain.dag.blocksByHeight(0n, 100n)) {
    const { postStateHash } = dag.require(hash);
    expect(all.hasRoot(postStateHash)).toBe(true);
    if (!few.hasRoot(postStateHash)) continue;
    here.push(height);
    expect(compareStates(all, few, postStateHash)).toBeGreaterThan(500);
  }
  expect(here[0]!).toBeLessThanOrEqual(final - window);
  expect(here[0]!).toBeGreaterThan(final - window - 5n);
  expect(here.at(-1)).toBe(32n);
  expect(here.length).toBe(Number(32n - here[0]!) + 1);
  // While the window does not move in height the number of entries does not grow either.
  expect(Math.max(...entries.slice(24))).toBeLessThan(Math.max(...entries.slice(12, 24)) * 1.05);

  const roots = new StateRoots(dag, async (some) => some.map((root) => few.hasRoot(root)));
  const refusal = await roots.notHere(genesis.body.state.postStateHash, "root");
  expect(refusal).toBeInstanceOf(StateQueryError);
  const oldest = [...dag.blocksByHeight(here[0]!, here[0]!)][0]!;
  expect(refusal.message).toBe(
    `The state ${toHex(genesis.body.state.postStateHash)} is not on this node: the oldest state here is that of block ${here[0]} (${toHex(oldest.hash)}); a node that began with a snapshot, or keeps few (storage.state-retention), has no older ones.`,
  );
});

test("nothing is forgotten while a node begins, and a round that was broken off is begun again", async () => {
  const genesis = await accountGenesis();
  const { one, store, executor } = await node("v1", genesis);
  for (let number = 1; number <= 12; number += 1) {
    await one.proposing.submit(userDeploy("u1", `@${number}!(${number})`));
    await one.make();
  }
  let may = false;
  const events: UpkeepEvent[] = [];
  const { dag } = one.chain;
  const parts = {
    dag,
    store,
    executor,
    window: 4n,
    step: 2n,
    yieldNow: yieldToEventLoop,
    mayPrune: () => may,
    emit: (event: UpkeepEvent) => void events.push(event),
  };
  const { signal } = new AbortController();
  expect(await pruneOnce(parts, false, signal)).toBe(false);
  expect(await executor.forgottenBelow()).toBeUndefined();
  may = true;
  // The thread has ended amid the round.
  const ended = { ...executor, prune: async () => ({ phase: "idle", marked: 0, removed: 0 }) as const };
  expect(await pruneOnce({ ...parts, executor: ended }, false, signal)).toBe(true);
  expect([await executor.forgottenBelow(), events.length]).toEqual([dag.lastFinalized()!.number - 4n, 0]);
  expect(await pruneOnce(parts, true, signal)).toBe(false);
  expect(events.map(({ type }) => type)).toEqual(["statesPruned"]);
});

/** @returns how many nodes and leaves there are @throws TypeError where one is another */
function compareStates(one: StateStore, other: StateStore, root: Uint8Array): number {
  const pending = [root];
  let count = 0;
  const same = (left: Uint8Array | undefined, right: Uint8Array | undefined, hash: Uint8Array) => {
    count += 1;
    if (left === undefined || right === undefined || Buffer.compare(left, right) !== 0)
      throw new TypeError(`${toHex(hash)} is not the same`);
  };
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    same(one.nodeBytes(hash), other.nodeBytes(hash), hash);
    const item = one.node(hash);
    for (let index = 0; index < 256; index += 1) {
      const offset = item.offsetOf(index);
      if (offset < 0) continue;
      const target = item.targetAt(offset);
      if (item.isPointerAt(offset)) pending.push(target);
      else same(one.leafBytes(target), other.leafBytes(target), target);
    }
  }
  return count;
}

import { type Block, type Deploy, f1r3node, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { BlockLineage } from "../../finality/f1r3node/blockLineage.js";
import { StateLineage } from "../../finality/f1r3node/StateLineage.js";
import { share, TestValidator, type TestValidatorOptions, testGenesis } from "../../testing/ProposeNetwork.js";
import { TestDag, testDeploy } from "../../testing/TestDag.js";
import { harmedDeploys, keepingParents } from "./keepingParents.js";

const asF1r3node: TestValidatorOptions = { isRaced: () => false, proposer: { slashesUnconfirmed: true } };

/**
 * Two of three make a block final that the third has not received; to the fork choice, its tip has most stake behind it.
 * Then the first receives it and makes a block.
 */
async function scene(options: TestValidatorOptions = {}) {
  let nowMs = 1_000_000;
  const genesis = testGenesis({ a: 10, b: 10, c: 15 }, undefined, f1r3node);
  const common = { followsFloors: true, nowMs: () => (nowMs += 10), ...options };
  const [a, b, c] = ["a", "b", "c"].map((name) => new TestValidator(name, genesis, common)) as [
    TestValidator,
    TestValidator,
    TestValidator,
  ];
  const [inFloor, beside] = [a.deploy(), c.deploy()];
  const final = await a.make();
  const withheld = await c.make();
  await share(final, b);
  const onFinal = await b.make();
  await share(onFinal, a);
  const tips = [await a.make(), await b.make()] as const;
  await share(tips[1], a);
  await share(withheld, a, b);
  const made = await a.make();
  const { lineage } = a.f1r3node!.consensus;
  const effects = lineage.effectsDownTo(a.chain.dag.require(made.hash), 0n);
  const keeps = [inFloor, beside].map(({ signature }) => effects.has(hashKey(signature)));
  return { a, b, c, final, withheld, onFinal, tips, made, keeps };
}

describe("where the main parent's state lacks what is final", () => {
  test("f1r3node's choice of parents loses the deploys that this state alone has, and the log names them", async () => {
    const { a, c, withheld, made, keeps } = await scene(asF1r3node);
    expect(made.parents[0]).toEqual(withheld.hash);
    expect(keeps).toEqual([true, false]);
    const lost = withheld.body.deploys.map(({ deploy }) => deploy.signature);
    expect(a.eventsOf("deploysHarmed")).toMatchObject([{ lost, repeated: [], main: withheld.hash }]);
    expect(await c.status()).toBe("Success");
  });

  test("a block of ours has others, which no other block has, and the deploys; it is valid to all", async () => {
    const { a, b, c, final, withheld, onFinal, tips, made, keeps } = await scene();
    const { chain } = a;
    expect(keeps).toEqual([true, true]);
    const keys = made.parents.map(hashKey);
    expect(tips.map(({ hash }) => hashKey(hash))).toContain(keys[0]);
    expect(new Set(keys)).toEqual(new Set([...tips, withheld, onFinal].map(({ hash }) => hashKey(hash))));
    expect(chain.dag.require(made.hash).mainParent).toEqual(made.body.mergeBase);
    expect(a.eventsOf("parentsExchanged")).toEqual([{ type: "parentsExchanged", parents: 4, main: made.parents[0] }]);
    expect(a.eventsOf("deploysHarmed")).toEqual([]);
    await share(tips[0], b);
    await share(made, b);
    await share(final, c);
    await share(onFinal, c);
    for (const block of [...tips, made]) await share(block, c);
  });

  test("where there is no room for another parent, one is left out, which the next block has", async () => {
    const { withheld, tips, made, keeps } = await scene({ rules: { maximumParents: 3 } });
    expect(keeps).toEqual([true, true]);
    const [main, ...others] = made.parents.map(hashKey);
    expect(tips.map(({ hash }) => hashKey(hash))).toContain(main);
    expect(others).toEqual([hashKey(withheld.hash)]);
  });

  test("where there is room for two, a block that holds what is final takes the place of the other one", async () => {
    const { final, withheld, onFinal, tips, made, keeps } = await scene({ rules: { maximumParents: 2 } });
    expect(keeps).toEqual([true, true]);
    const [main, ...others] = made.parents.map(hashKey);
    // The own tip is a parent in any case, and the main one where it would be cut off.
    expect([final, onFinal, tips[0]].map(({ hash }) => hashKey(hash))).toContain(main);
    expect(others).toEqual([hashKey(withheld.hash)]);
  });
});

/** A final block with deploy 1, and beside it one with deploy 2; what is made on both lacks the effect of deploy 1. */
function staleScene(rules: { readonly maximumParents?: number; readonly maximumParentDepth?: number } = {}) {
  const made = new TestDag({ a: 10, b: 10, c: 10 });
  const { dag, genesis } = made;
  const facts = new BlockLineage({ find: (hash) => made.blockOf(hash) });
  const sources = { dag, facts, lineage: new StateLineage(dag, facts) };
  const on = (creator: string, parents: readonly Block[], deploys: readonly Deploy[] = []): Block => {
    const justifications = { a: genesis, b: genesis, c: genesis };
    const mergeBase = parents.length > 1 ? { mergeBase: parents[0]! } : {};
    return made.add({ creator, parents, justifications, deploys, ...mergeBase });
  };
  const floor = on("a", [genesis], [testDeploy(1)]);
  const beside = on("c", [genesis], [testDeploy(2)]);
  const stale = on("c", [beside, floor]);
  const groundOn = (parents: readonly Block[]) => ({
    parents: parents.map(({ hash }) => dag.require(hash)),
    floor: dag.require(floor.hash),
  });
  const all = { ...sources, rules: { maximumParents: -1, maximumParentDepth: undefined, ...rules } };
  const choose = (...parents: readonly Block[]) =>
    keepingParents(all, groundOn(parents), (others) => ({ ...groundOn([]), parents: others })).parents;
  const harmOn = (...parents: readonly Block[]) => {
    const { lost, repeated } = harmedDeploys(sources, groundOn(parents));
    return { lost: [...lost.keys()], repeated: [...repeated.keys()] };
  };
  const keysOf = (...blocks: readonly Block[]) => blocks.map(({ hash }) => hashKey(hash));
  return { genesis, floor, beside, stale, on, choose, harmOn, keysOf };
}

const keyOf = (id: number) => hashKey(testDeploy(id).signature);
const namesOf = (blocks: readonly { readonly key: string }[]) => blocks.map(({ key }) => key);

describe("where no tip has all that is final in its state", () => {
  test("the floor is put before the tips", () => {
    const { floor, stale, choose, harmOn, keysOf } = staleScene();
    expect(harmOn(stale)).toEqual({ lost: [keyOf(2)], repeated: [] });
    expect(namesOf(choose(stale))).toEqual(keysOf(floor, stale));
    expect(harmOn(floor, stale)).toEqual({ lost: [], repeated: [] });
  });

  test("a block below that has it is put before the tips", () => {
    const { floor, beside, on, choose, keysOf } = staleScene();
    const merged = on("b", [floor, beside]);
    const stale = on("c", [merged, beside]);
    expect(namesOf(choose(stale))).toEqual(keysOf(stale));
    const staler = on("c", [beside, merged]);
    expect(namesOf(choose(staler))).toEqual(keysOf(merged, staler));
  });

  test("where the floor lies too deep, the lowest block that may be a parent is put before, if that loses less", () => {
    const { stale, on, choose, harmOn, keysOf } = staleScene({ maximumParentDepth: 2 });
    const low = on("c", [stale]);
    const top = on("c", [on("c", [low], [testDeploy(3)])], [testDeploy(4)]);
    expect(new Set(harmOn(top).lost)).toEqual(new Set([2, 3, 4].map(keyOf)));
    expect(namesOf(choose(top))).toEqual(keysOf(low, top));
    expect(harmOn(low, top).lost).toEqual([keyOf(2)]);
    const above = on("c", [on("c", [low])]);
    expect(namesOf(choose(above))).toEqual(keysOf(above));
  });

  test("a copy of what is final is repeated, which another main parent prevents too", () => {
    const { beside, genesis, on, choose, harmOn, keysOf } = staleScene();
    const copy = on("b", [genesis], [testDeploy(1), testDeploy(3)]);
    const onFinal = on("b", [copy]);
    expect(harmOn(beside, onFinal)).toEqual({ lost: [keyOf(2)], repeated: [keyOf(1)] });
    expect(namesOf(choose(beside, onFinal))).toEqual(keysOf(onFinal, beside, copy));
  });

  test("with one parent at most there is no choice", () => {
    const { stale, choose, keysOf } = staleScene({ maximumParents: 1 });
    expect(namesOf(choose(stale))).toEqual(keysOf(stale));
  });
});

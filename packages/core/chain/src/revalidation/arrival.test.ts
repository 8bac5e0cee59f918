import { type Block, hashKey } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { Dag } from "../dag/Dag.js";
import { type ArrivalNode, TestClock } from "../testing/ArrivalNode.js";
import { testKey } from "../testing/ProposeNetwork.js";
import { goOn, newNode, type SplitNetwork, splitNetwork } from "../testing/splitScene.js";

const offenderKey = hashKey(testKey("v4").publicKey);
const inOrder = [0, 1, 2, 3, 4];

/**
 * All nodes have the same final blocks, and find the last blocks of the majority valid.
 *
 * By rnode's rule the blocks that an honest validator built on the other side stay invalid, with all blocks on them.
 */
function expectOneChain({ validators, observer }: SplitNetwork, firstSeen: readonly number[], least: bigint): void {
  const isOfMajority = (_: unknown, index: number) => firstSeen.filter((side) => side === firstSeen[index]).length > 1;
  const nodes = [...validators, observer];
  const highest = nodes.reduce((best, node) => (node.lastFinalized.number > best.lastFinalized.number ? node : best));
  for (const { dag, lastFinalized, validator } of nodes) {
    expect(isAncestorOrSelf(highest.dag, lastFinalized, highest.lastFinalized)).toBe(true);
    expect(lastFinalized.number).toBeGreaterThanOrEqual(least);
    expect(validator.chainEvents.filter(({ type }) => type === "finalityReverted")).toEqual([]);
    for (const maker of validators.filter(isOfMajority)) {
      const own = maker.dag.latestMessage(hashKey(maker.validator.proposer.publicKey))!;
      expect(dag.require(own).invalid).toBe(false);
    }
  }
}

/** Returns all ways in which three validators can see one of `sides` sides first, by whether two see the same one. */
function firstSightings(sides: number): { readonly together: number[][]; readonly apart: number[][] } {
  const all = Array.from({ length: sides }, (_, side) => side);
  const every = all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c])));
  const isApart = (seen: number[]) => new Set(seen).size === 3;
  return { together: every.filter((seen) => !isApart(seen)), apart: every.filter(isApart) };
}

/** Orders in which three validators and an observer receive the sides and the blocks of the three. */
function anyOrders(sides: number) {
  const all = Array.from({ length: sides + 3 }, (_, index) => index);
  const one = fc.shuffledSubarray(all, { minLength: all.length });
  return fc.tuple(one, one, one, one);
}

/** The blocks of the node's DAG above genesis. */
function chainOf({ validator: { chain }, dag }: ArrivalNode): Block[] {
  return [...dag.blocksByHeight(1n, 1_000n)].map(({ hash }) => chain.blocks.find(hash)!);
}

describe("on a network that judges by arrival", () => {
  test.each([
    { sides: 2, slashesUnconfirmed: false, numRuns: runs(3, 8) },
    { sides: 2, slashesUnconfirmed: true, numRuns: runs(2, 4) },
    { sides: 3, slashesUnconfirmed: false, numRuns: runs(3, 8) },
  ])(
    "whichever of $sides sides comes first, all nodes follow the majority (slashing unconfirmed: $slashesUnconfirmed)",
    async ({ sides, slashesUnconfirmed, numRuns }) => {
      const anyOf = fc.constantFrom(...firstSightings(sides).together);
      const property = fc.asyncProperty(anyOf, anyOrders(sides), async (firstSeen, orders) => {
        const network = await splitNetwork({ sides, firstSeen, orders, slashesUnconfirmed });
        await goOn(network, 3);
        expectOneChain(network, firstSeen, 4n);
        const { stakes } = network.observer.lastFinalized.bonds;
        // A validator that received only one side has nothing to slash for.
        const isSeen = new Set(firstSeen).size > 1;
        expect(stakes.get(offenderKey)).toBe(slashesUnconfirmed && isSeen ? 0n : 500n);
      });
      await fc.assert(property, { numRuns });
    },
    60_000,
  );

  test("where each of three receives another side first, no block is final, and no validator is slashed", async () => {
    const firstSeen = firstSightings(3).apart[0]!;
    const orders = [0, 1, 2, 3].map((turn) => [0, 1, 2, 3, 4, 5].map((at) => (at + turn) % 6));
    const network = await splitNetwork({ sides: 3, firstSeen, orders });
    await goOn(network, 3);
    for (const { dag, lastFinalized } of [...network.validators, network.observer]) {
      expect(lastFinalized.number).toBe(0n);
      for (const { hash } of dag.latestMessages()) expect(dag.require(hash).bonds.total).toBe(3500n);
    }
  });

  test("a late node finds the same final block, in whatever order the blocks come", async () => {
    const network = await splitNetwork({
      sides: 2,
      firstSeen: [0, 1, 1],
      orders: [inOrder, inOrder, inOrder, inOrder],
    });
    await goOn(network, 2);
    const all = chainOf(network.validators[1]!);
    const property = fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (order) => {
      const late = newNode("v6", network.clock);
      await late.receive(...order);
      expect(late.lastFinalized.hash).toEqual(network.validators[1]!.lastFinalized.hash);
      expect(late.dropped.filter(({ number }) => number > 2n)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs(2, 6) });
  });

  test("a node that finds both sides valid executes a slash with its sender", async () => {
    const clock = new TestClock();
    const [one, two] = [(await newNode("v4", clock).make())!, (await newNode("v4", clock).make())!];
    const slasher = newNode("v1", clock, { proposer: { slashesUnconfirmed: true } });
    await slasher.receive(one);
    await slasher.validator.chain.process(two, true);
    const slashing = (await slasher.make())!;
    expect(slashing.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["slash", "closeBlock"]);
    const observer = newNode("v5", clock);
    const both = [one, two].map((block) => ({ block, isAwaited: false }));
    const found = await observer.validator.chain.processTogether(both);
    expect(found.map(({ status }) => status.status)).toEqual(["Valid", "Valid"]);
    await observer.receive(slashing);
    expect(observer.verdictOn(slashing)).toBe("Valid");
    expect(observer.dag.require(slashing.hash).bonds.stakes.get(offenderKey)).toBe(0n);
  });

  test("a verdict that is taken back stays so after a restart, and the DAG on disk is the one in memory", async () => {
    const network = await splitNetwork({
      sides: 2,
      firstSeen: [0, 1, 1],
      orders: [inOrder, inOrder, inOrder, inOrder],
    });
    await goOn(network, 2);
    const { dag, validator } = network.validators[0]!;
    const revised = validator.chainEvents.flatMap((event) => (event.type === "blockRevalidated" ? [event] : []));
    expect(revised.map(({ verdict }) => verdict)).toContain("AdmissibleEquivocation");
    expect(revised.map(({ isOverruled }) => isOverruled)).toContain(true);
    const again = new Dag(validator.store);
    expect(again.revisedCount).toBe(revised.length);
    expect(again.invalidBlocks()).toEqual(dag.invalidBlocks());
    expect(again.latestMessages()).toEqual(dag.latestMessages());
    expect([...again.blocksByHeight(0n, 99n)]).toEqual([...dag.blocksByHeight(0n, 99n)]);
    for (const { block } of revised) {
      expect(again.require(block.hash)).toMatchObject({ invalid: false, number: block.number });
      const added = validator.chainEvents.filter(({ type }) => type === "blockAdded");
      expect(added.filter((event) => "block" in event && event.block === block)).toHaveLength(1);
    }
  });
});

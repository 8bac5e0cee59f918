import { type Block, hashKey } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { ArrivalNode, makeRounds, TestClock } from "../testing/ArrivalNode.js";
import { testGenesis, testKey } from "../testing/ProposeNetwork.js";
import { evidenceTag } from "./evidenceBytes.js";

const honestNames = ["v1", "v2", "v3"] as const;
const genesis = testGenesis({ v1: 1000, v2: 1000, v3: 1000, v4: 500 }, evidenceTag);
const offenderKey = hashKey(testKey("v4").publicKey);

/** Blocks of one validator that know nothing of each other. */
async function sidesOf(count: number, clock: TestClock): Promise<Block[]> {
  const sides: Block[] = [];
  for (let side = 0; side < count; side += 1) sides.push((await new ArrivalNode("v4", genesis, clock).make())!);
  return sides;
}

/** Checks the facts that must hold between honest nodes that know the same blocks. */
function expectAgreement(nodes: readonly ArrivalNode[]): void {
  const highest = nodes.reduce((best, node) => (node.lastFinalized.number > best.lastFinalized.number ? node : best));
  for (const { dag, lastFinalized, validator } of nodes) {
    expect(isAncestorOrSelf(highest.dag, lastFinalized, highest.lastFinalized)).toBe(true);
    expect(dag.invalidBlocks()).toEqual([]);
    expect(validator.chainEvents.filter(({ type }) => type === "finalityReverted")).toEqual([]);
  }
}

function expectSlashed(nodes: readonly ArrivalNode[]): void {
  for (const { lastFinalized } of nodes) {
    expect(lastFinalized.bonds.stakes.get(offenderKey)).toBe(0n);
    expect(lastFinalized.bonds.total).toBe(3000n);
  }
}

/** Each honest validator receives one side first, builds a block, and receives the other blocks in a given order. */
async function scene(firstSeen: readonly number[], orders: readonly (readonly number[])[], count: number) {
  const clock = new TestClock();
  const nodes = honestNames.map((name) => new ArrivalNode(name, genesis, clock));
  const sides = await sidesOf(count, clock);
  const made: Block[] = [];
  for (const [index, node] of nodes.entries()) {
    await node.receive(sides[firstSeen[index]!]!);
    made.push((await node.make())!);
  }
  const all = [...sides, ...made];
  for (const [index, node] of nodes.entries()) await node.receive(...orders[index]!.map((at) => all[at]!));
  return { clock, nodes };
}

/** All ways in which three validators can receive one of the sides first; the names of the sides do not matter. */
function firstSightings(sides: number): number[][] {
  const all = Array.from({ length: sides }, (_, side) => side);
  const named = all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c])));
  return named.filter((seen) => seen.every((side, at) => side <= 1 + Math.max(-1, ...seen.slice(0, at))));
}

/** Orders in which each of three validators receives the sides and the blocks of the three. */
function anyOrders(sides: number) {
  const all = Array.from({ length: sides + honestNames.length }, (_, index) => index);
  const one = fc.shuffledSubarray(all, { minLength: all.length });
  return fc.tuple(one, one, one);
}

describe("on a network that judges by evidence", () => {
  test.each([
    { sides: 2, numRuns: runs(1, 3) },
    { sides: 3, numRuns: runs(1, 2) },
  ])(
    "a validator with $sides sides is the only one to lose its stake, whichever side each node receives first",
    async ({ sides, numRuns }) => {
      for (const firstSeen of firstSightings(sides)) {
        const property = fc.asyncProperty(anyOrders(sides), async (orders) => {
          const { nodes } = await scene(firstSeen, orders, sides);
          await makeRounds(4, nodes);
          expectAgreement(nodes);
          expectSlashed(nodes);
          expect(nodes[0]!.lastFinalized.number).toBeGreaterThan(4n);
        });
        await fc.assert(property, { numRuns });
      }
    },
    240_000,
  );

  test("a node that joins later finds the same verdicts and finality, in whatever order the blocks come", async () => {
    const orders = [
      [1, 3, 4, 2],
      [4, 0, 2],
      [2, 0, 3],
    ];
    const { clock, nodes } = await scene([0, 1, 1], orders, 2);
    await makeRounds(3, nodes);
    const [first] = nodes;
    const { blocks, dag } = first!.validator.chain;
    const all = [...dag.blocksByHeight(1n, 100n)].map(({ hash }) => blocks.find(hash)!);
    const property = fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (order) => {
      const late = new ArrivalNode("v5", genesis, clock);
      await late.receive(...order);
      expect([...late.verdicts.values()].filter((status) => status !== "Valid")).toEqual([]);
      expect(late.verdicts.size).toBe(all.length);
      expect(late.lastFinalized.hash).toEqual(first!.lastFinalized.hash);
    });
    await fc.assert(property, { numRuns: runs(3, 8) });
  });
});

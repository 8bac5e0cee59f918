import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { ClaimedHeights, type KnownStakes } from "./ClaimedHeights.js";

const known = (facts: Partial<KnownStakes> = {}): KnownStakes => ({
  stakes: new Map(["v1", "v2", "v3"].map((name) => [hashKey(testHash(name)), 10n])),
  hasSpoken: () => true,
  ...{ height: 7n, waitingBlocks: 0 },
  ...facts,
});

function claims(of: Readonly<Record<string, bigint>>): ClaimedHeights {
  const heights = new ClaimedHeights();
  for (const [name, number] of Object.entries(of)) heights.note({ sender: testHash(name), number });
  return heights;
}

test("a height is believed when validators with more than half of the stake claim it", () => {
  expect(claims({ v1: 100n, v2: 90n, v3: 80n }).best(known())).toBe(90n);
  expect(claims({ v1: 100n }).best(known())).toBe(7n);
  expect(claims({ v1: 5n, v2: 6n }).best(known())).toBe(7n);
});

test("neither one validator nor any number of strangers can make a height up", () => {
  const absurd = 4_600_000_000_000_000_000n;
  expect(claims({ v1: absurd, v2: 8n, v3: 8n }).best(known({ waitingBlocks: 70 }))).toBe(8n);
  expect(claims({ a: absurd, b: absurd, c: absurd, d: absurd }).best(known({ waitingBlocks: 70 }))).toBe(7n);
});

test("a validator with most of the stake, and a joiner without tips, see as many heights as there are blocks", () => {
  const one = known({ stakes: new Map([[hashKey(testHash("v1")), 10n]]), waitingBlocks: 3 });
  expect(claims({ v1: 100n }).best(one)).toBe(10n);
  const joiner = known({ height: 0n, waitingBlocks: 40, hasSpoken: () => false });
  expect(claims({ later: 100n }).best(joiner)).toBe(40n);
  expect(claims({ later: 100n }).best({ ...joiner, waitingBlocks: 4000 })).toBe(100n);
});

test("what floods the claims makes them forget, not grow", () => {
  const heights = claims({ v1: 100n, v2: 100n });
  for (let i = 0; i < 5000; i++) heights.note({ sender: testHash(String(i)), number: 9n });
  expect(heights.best(known())).toBe(7n);
});

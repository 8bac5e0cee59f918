import { fromHex, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { entriesAtState } from "../../bootstrapFromState.js";
import { type F1r3nodeBlock, f1r3nodeChain } from "../../testing/f1r3nodeChain.js";
import { checkGivenFloors } from "./checkGivenFloors.js";
import type { DerivedFloor } from "./FloorCache.js";

const chain = f1r3nodeChain("trio-r");
const recorded: readonly F1r3nodeBlock[] = chain ?? [];
const byHash = new Map<string, Block>(recorded.map(({ block }) => [hashKey(block.hash), block]));
const find = (hash: Uint8Array) => byHash.get(hashKey(hash));

/** The floors that an honest peer reports for all blocks but genesis. */
const honest: ReadonlyMap<string, DerivedFloor> = new Map(
  recorded.flatMap(({ block, facts }) =>
    facts.frontier === null
      ? []
      : [[hashKey(block.hash), { floor: fromHex(facts.floor), frontier: fromHex(facts.frontier) }] as const],
  ),
);

/** Checks given floors on a node that has only the blocks from a height on. */
function check(given: ReadonlyMap<string, DerivedFloor>, lowest = 0n) {
  const sorted = recorded.map(({ block }) => block).filter(({ number }) => number >= lowest);
  const [first, ...others] = sorted.sort((left, right) => Number(right.number - left.number));
  const entries = others.map(({ hash }) => ({ hash, isInvalid: false }));
  return checkGivenFloors({ blocks: entriesAtState(first!, entries, find), find, given, tolerance: 100_000n });
}

const texts = (floors: Iterable<DerivedFloor & { readonly hash: Uint8Array }>) =>
  new Map([...floors].map(({ hash, floor, frontier }) => [toHex(hash), [toHex(floor), frontier && toHex(frontier)]]));

const recordedTexts = (lowest: bigint) =>
  new Map(
    recorded.flatMap(({ facts: { hash, number, floor, frontier } }) =>
      frontier === null || BigInt(number) < lowest ? [] : [[hash, [floor, frontier]] as const],
    ),
  );

describe(`floors that a peer gives`, () => {
  test("are derived, not taken, where genesis is there", () => {
    const { floors, trusted, contradicted } = check(honest);
    expect([trusted, contradicted]).toEqual([0, []]);
    expect(new Map([...texts(floors)].filter(([, [, frontier]]) => frontier !== undefined))).toEqual(recordedTexts(0n));
    expect(texts(check(new Map()).floors)).toEqual(texts(floors));
  });

  test.each([1n, 2n, 3n, 4n, 5n])("are believed at the lower end alone (from height %s on)", (lowest) => {
    const { floors, trusted, contradicted } = check(honest, lowest);
    expect(contradicted).toEqual([]);
    expect(trusted).toBeLessThan(recorded.length);
    const known = texts(floors);
    const expected = recordedTexts(lowest);
    for (const [hash, floor] of known) expect(floor).toEqual(expected.get(hash));
    const top = recorded.at(-1)!.block.hash;
    expect(known.get(toHex(top))).toEqual(expected.get(toHex(top)));
  });

  test("contradict the blocks where a single one of those above is false", () => {
    const genesis = recorded[0]!.block.hash;
    for (const { block } of recorded.slice(-5)) {
      const given = new Map(honest).set(hashKey(block.hash), { floor: genesis, frontier: genesis });
      const { contradicted, floors } = check(given);
      expect(contradicted.map(toHex)).toEqual([toHex(block.hash)]);
      expect(texts(floors)).toEqual(texts(check(honest).floors));
    }
  });

  test("are no floors where they name what is not there, or what lies beside or above", () => {
    const lowest = 2n;
    const [edge] = recorded.filter(({ block }) => block.number === lowest);
    const above = recorded.at(-1)!.block.hash;
    const unknown = new Uint8Array(32).fill(9);
    for (const hash of [above, unknown, new Uint8Array(0), edge!.block.hash]) {
      const given = new Map([[hashKey(edge!.block.hash), { floor: hash, frontier: hash }]]);
      expect(check(given, lowest).floors).toEqual([]);
    }
  });
});

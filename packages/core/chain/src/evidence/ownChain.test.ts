import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { findDivergence } from "./ownChain.js";

/** Own blocks of one validator, by the block that each builds on; their numbers are chosen by the validator. */
class OwnBlocks {
  readonly #blocks = new Map<string, BlockMetadata>();

  add(key: string, before: string | undefined, sequenceNumber: number): BlockMetadata {
    const selfJustification = before === undefined ? undefined : new TextEncoder().encode(before);
    const block = { key, senderKey: "liar", sequenceNumber, selfJustification } as unknown as BlockMetadata;
    this.#blocks.set(key, block);
    return block;
  }

  require = (hash: Uint8Array): BlockMetadata => this.#blocks.get(new TextDecoder().decode(hash))!;
}

describe("where own blocks part", () => {
  test.each([0, 1, 7, -1, -(2 ** 31), 2 ** 31 - 1])("does not hang on numbers that are lies, such as %s", (number) => {
    const blocks = new OwnBlocks();
    const first = blocks.add("first", undefined, 0);
    const left = blocks.add("left", "first", 1);
    const right = blocks.add("right", "first", number);
    const above = blocks.add("above", "right", number);
    const alone = blocks.add("alone", undefined, number);
    const parting = (one: BlockMetadata, other: BlockMetadata) => {
      const found = findDivergence(blocks, one, other);
      return [found.left?.key, found.right?.key];
    };
    expect(parting(left, right)).toEqual(["left", "right"]);
    expect(parting(above, left)).toEqual(["right", "left"]);
    expect(parting(above, first)).toEqual(["right", undefined]);
    expect(parting(first, above)).toEqual([undefined, "right"]);
    expect(parting(above, above)).toEqual([undefined, undefined]);
    expect(parting(alone, above)).toEqual(["alone", "first"]);
  });

  test("is the place that is found by going through all of both", () => {
    const parents = fc.array(fc.nat(), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(
        parents,
        fc.nat(),
        fc.nat(),
        fc.array(fc.integer(), { minLength: 31 }),
        (list, one, other, numbers) => {
          const blocks = new OwnBlocks();
          const made: BlockMetadata[] = [];
          for (const [at, parent] of list.entries()) {
            const before = at === 0 || parent % 5 === 0 ? undefined : String(parent % at);
            made.push(blocks.add(String(at), before, numbers[at]! | 0));
          }
          const chainOf = (block: BlockMetadata) => {
            const chain = [block];
            while (chain.at(-1)!.selfJustification !== undefined)
              chain.push(blocks.require(chain.at(-1)!.selfJustification!));
            return chain.map(({ key }) => key);
          };
          const [a, b] = [made[one % made.length]!, made[other % made.length]!];
          const [as, bs] = [chainOf(a), chainOf(b)];
          const common = as.find((key) => bs.includes(key));
          const above = (chain: readonly string[]) =>
            common === undefined ? chain.at(-1) : chain[chain.indexOf(common) - 1];
          const { left, right } = findDivergence(blocks, a, b);
          expect([left?.key, right?.key]).toEqual([above(as), above(bs)]);
        },
      ),
    );
  });
});

import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { testBlock } from "../testing/testBlock.js";
import { BlockRequester } from "./BlockRequester.js";

const texts = (hashes: readonly Uint8Array[]) => hashes.map(toHex).sort();
const hashes = (...blocks: readonly Block[]) => texts(blocks.map(({ hash }) => hash));

/** A chain of one validator; index = number. */
function chainOf(length: number): Block[] {
  const blocks = [testBlock(0, [], { by: "genesis" })];
  for (let number = 1; number < length; number++) {
    const parent = blocks[number - 1] as Block;
    const justified = { validator: testBlock(0, []).sender, latestBlockHash: parent.hash };
    blocks.push(testBlock(number, [parent], { justifications: [justified] }));
  }
  return blocks;
}

describe("the requester of an approved block's surroundings", () => {
  test("fetches genesis alone where that is approved", () => {
    const genesis = testBlock(0, []);
    const requester = new BlockRequester(genesis);
    expect(texts(requester.next())).toEqual(hashes(genesis));
    expect(requester.isDone).toBe(false);
    requester.receive(genesis);
    expect(requester.isDone).toBe(true);
  });

  test("requests the latest messages first, and the one before each", () => {
    const chain = chainOf(5);
    const requester = new BlockRequester(chain[4]!);
    expect(texts(requester.next())).toEqual(hashes(chain[3]!));
    expect(requester.next()).toEqual([]);
    expect(requester.receive(chain[3]!)).toEqual({ lowerBound: undefined });
    expect(texts(requester.next())).toEqual(hashes(chain[2]!));
    expect(requester.receive(chain[2]!)).toEqual({ lowerBound: 0n });
    expect(texts(requester.next())).toEqual(hashes(chain[4]!, chain[1]!));
  });

  test("stops fifty heights below, and names the highest block first", () => {
    const chain = chainOf(120);
    const requester = new BlockRequester(chain[110]!);
    const byHash = new Map(chain.map((block) => [toHex(block.hash), block]));
    for (let next = requester.next(); next.length > 0; next = requester.next()) {
      for (const hash of next) requester.receive(byHash.get(toHex(hash))!);
    }
    expect(requester.isDone).toBe(true);
    const numbers = requester.fetched.map(({ number }) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 51 }, (_, index) => 110 - index));
  });

  test("takes nothing that it did not request", () => {
    const chain = chainOf(5);
    const requester = new BlockRequester(chain[4]!);
    requester.next();
    expect(requester.receive(chain[0]!)).toBeUndefined();
    requester.receive(chain[3]!);
    expect(requester.receive(chain[3]!)).toBeUndefined();
  });
});

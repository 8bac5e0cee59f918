import { blake2b256 } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { finalityOf } from "./blockFinality.js";
import { statusSoFar } from "./deployStatus.js";
import { undecidedKey } from "./undecidedBlocks.js";

const context = { isPooled: true, retriesRejected: false };
const final = { finality: "finalized", isRejected: false, hasEffect: true } as const;

test("so far a deploy waits, is in a block, failed in a final one, or was given up by a merge", () => {
  expect(statusSoFar(undefined, context)).toBe("pending");
  expect(statusSoFar({ ...final, finality: "pending", hasEffect: false }, context)).toBe("included");
  expect(statusSoFar({ ...final, hasEffect: false }, context)).toBe("failedSoFar");
  expect(statusSoFar({ ...final, isRejected: true }, context)).toBe("rejected");
});

test("a deploy of a block that was forked away waits again, where it is in the pool", () => {
  const inclusion = { ...final, finality: "forkedAway" } as const;
  expect(statusSoFar(inclusion, context)).toBe("pending");
  expect(statusSoFar(inclusion, { ...context, isPooled: false })).toBe("forkedAway");
});

test("a rejected deploy waits again on f1r3node networks, at any node", () => {
  const retried = { isPooled: false, retriesRejected: true };
  expect(statusSoFar({ ...final, isRejected: true }, retried)).toBe("pending");
});

test("a block is decided by finality, by its height, and by what is noted as undecided", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const block = (number: bigint, finalized = false) =>
    ({ hash: blake2b256(new Uint8Array([Number(number)])), number, finalized }) as BlockMetadata;
  const dag = { lastFinalized: () => block(5n, true), approvedBlock: () => undefined, find: () => undefined };
  expect(finalityOf(block(3n, true), dag, store)).toBe("finalized");
  expect(finalityOf(block(6n), dag, store)).toBe("pending");
  expect(finalityOf(block(6n), { ...dag, lastFinalized: () => undefined }, store)).toBe("pending");
  expect(finalityOf(block(5n), dag, store)).toBe("forkedAway");
  const { number, hash } = block(5n);
  store.write((tables) => tables("undecidedBlocks").put(undecidedKey(number, hash), new Uint8Array(0)));
  expect(finalityOf(block(5n), dag, store)).toBe("pending");
});

test("a block below those that came with a state is not decided, as its descendants are not known", () => {
  const block = (number: number, ...parents: number[]) =>
    ({
      ...{ hash: Uint8Array.of(number), number: BigInt(number) },
      parents: parents.map((at) => Uint8Array.of(at)),
    }) as unknown as BlockMetadata;
  const blocks = [block(9, 8), block(8, 7, 2), block(2, 1)];
  const find = (hash: Uint8Array) => blocks.find(({ number }) => number === BigInt(hash[0]!));
  const dag = { lastFinalized: () => blocks[0], approvedBlock: () => blocks[0], find };
  const store = new MemoryStore(tablesOf("chain"));
  expect([2, 7, 8].map((number) => finalityOf(block(number), dag, store))).toEqual([
    "pending",
    "pending",
    "forkedAway",
  ]);
});

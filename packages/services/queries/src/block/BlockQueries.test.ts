import type { BlockMetadata } from "@vedette/chain";
import { expect, test } from "vitest";
import { BlockQueries, type BlockReads } from "./BlockQueries.js";

/** Makes answers of a chain that has one deploy in several blocks. */
function answersOf(blocks: readonly { readonly hash: number; readonly finalized: boolean }[]): BlockQueries {
  const metadata = blocks.map(({ hash, finalized }) => ({ hash: Uint8Array.of(hash), finalized }) as BlockMetadata);
  const find = (hash: Uint8Array) => metadata.find((one) => one.hash[0] === hash[0]);
  const dag = {
    nextBlockNumber: () => 9n,
    blocksOfDeploy: () => metadata.map(({ hash }) => hash),
    find,
    require: (hash: Uint8Array) => find(hash)!,
  };
  return new BlockQueries({ dag } as unknown as BlockReads, 50);
}

test.each([
  { what: "is in no final block: the one that was added last", final: [], expected: 3 },
  { what: "is in a final block, and forked away in later ones: the final one", final: [1], expected: 1 },
  { what: "is in two final blocks: the later one of them", final: [1, 2], expected: 2 },
])("the block of a deploy that $what", ({ final, expected }) => {
  const blocks = [1, 2, 3].map((hash) => ({ hash, finalized: final.includes(hash) }));
  expect(answersOf(blocks).requireBlockOfDeploy(Uint8Array.of(7)).hash[0]).toBe(expected);
});

test("a deploy that no block has is named in the refusal", () => {
  expect(() => answersOf([]).requireBlockOfDeploy(Uint8Array.of(7))).toThrow("deploy with id: 07");
});

import { expect, test } from "vitest";
import { blocksSince } from "./blocksSince.js";

/** A DAG that begins with a block of some height and has these heights. */
function dagOf(first: number | undefined, heights: readonly number[]) {
  return {
    approvedBlock: () => (first === undefined ? undefined : { number: BigInt(first) }),
    *blocksByHeight(from: bigint, to: bigint) {
      for (const height of heights)
        if (height >= from && height <= to) yield { height: BigInt(height), hash: new Uint8Array(32) };
    },
  } as unknown as Parameters<typeof blocksSince>[0];
}

const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test("a DAG has blocks from genesis on, or from some way below the block that it began with", () => {
  expect(blocksSince(dagOf(undefined, []))).toBe(0n);
  expect(blocksSince(dagOf(0, span(0, 30)))).toBe(0n);
  for (const first of [1, 2, 7, 100, 1_000])
    for (const lowest of new Set([1, 2, Math.max(1, first - 50), first])) {
      if (lowest > first) continue;
      expect(blocksSince(dagOf(first, span(lowest, first + 5)))).toBe(BigInt(lowest));
      const isWhole = lowest === 1;
      expect(blocksSince(dagOf(first, [0, ...span(lowest, first + 5)]))).toBe(isWhole ? 0n : BigInt(lowest));
    }
});

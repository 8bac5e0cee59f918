import { expect, test } from "vitest";
import { deployTimes } from "./deployTimes.js";

const nothing = { inBlockMs: undefined, finalMs: undefined };

test("a deploy takes until its block, and until it was seen to be final", () => {
  const moments = { signedMs: 1_000, blockMs: 3_500, finalSeenMs: undefined };
  expect(deployTimes(moments)).toEqual({ inBlockMs: 2_500, finalMs: undefined });
  expect(deployTimes({ ...moments, finalSeenMs: 9_000 })).toEqual({ inBlockMs: 2_500, finalMs: 5_500 });
});

test("times that cannot be are left out", () => {
  expect(deployTimes({ signedMs: 1_000, blockMs: undefined, finalSeenMs: undefined })).toEqual(nothing);
  expect(deployTimes({ signedMs: 5_000, blockMs: 4_000, finalSeenMs: undefined })).toEqual(nothing);
  expect(deployTimes({ signedMs: 0, blockMs: 1_700_000_000_000, finalSeenMs: 0 })).toEqual(nothing);
});

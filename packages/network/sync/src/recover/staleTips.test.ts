import { expect, test } from "vitest";
import type { SyncDagView } from "../ports/ChainPort.js";
import { tipsAreStale } from "./staleTips.js";

const at = (...times: readonly bigint[]) => ({ dag: { latestTimes: () => times } as unknown as SyncDagView });

test("tips are stale when no valid latest message is young", () => {
  expect(tipsAreStale(at(1_000n, 5_000n), 6_000, 2_000)).toBe(false);
  expect(tipsAreStale(at(1_000n, 4_000n), 6_000, 2_000)).toBe(true);
  expect(tipsAreStale(at(), 6_000, 2_000)).toBe(true);
});

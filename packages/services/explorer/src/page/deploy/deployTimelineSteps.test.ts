import type { DeployStatus } from "@vedette/client";
import { expect, test } from "vitest";
import { deployTimelineSteps } from "./deployTimelineSteps.js";

const block = { block: { blockHash: "aa", blockNumber: 7n, status: "pending" }, rejectedBy: null };
const deployOf = (status: DeployStatus["status"], blocks: unknown[] = [block]) =>
  ({ status, blocks }) as unknown as DeployStatus;
const states = (fate: DeployStatus, head = 9, finalized = 5) =>
  deployTimelineSteps(fate, { head, finalized }).map(({ title, state }) => `${title}: ${state}`);

test("a deploy goes from the pool into a block and becomes final", () => {
  expect(states(deployOf("pending", []))).toEqual(["Received: done", "Included: now", "Finalized: to come"]);
  expect(states(deployOf("included"))).toEqual(["Received: done", "Included: done", "Finalized: now"]);
  expect(states(deployOf("finalized"))).toEqual(["Received: done", "Included: done", "Finalized: done"]);
  expect(deployTimelineSteps(deployOf("included"), { head: 9, finalized: 5 })[2]?.about).toBe(
    "not yet; 2 heights above it",
  );
});

test("a deploy that a merge gave up, or with an orphaned block, waits again", () => {
  expect(states(deployOf("pending", [{ ...block, rejectedBy: "bb" }]))[2]).toBe("Rejected in merge: now");
  expect(states(deployOf("pending"))[2]).toBe("Finalized: now");
});

test("every other end is shown as what it is", () => {
  expect(states(deployOf("expired", []))[1]).toBe("Included: bad");
  expect(states(deployOf("refused", []))[1]).toBe("Included: bad");
  expect(states(deployOf("failed"))[2]).toBe("Failed: bad");
  expect(states(deployOf("failedSoFar"))[2]).toBe("Failed so far: bad");
  expect(states(deployOf("expired"))[2]).toBe("Expired: bad");
  expect(states(deployOf("rejected"))[2]).toBe("Rejected in merge: bad");
  expect(states(deployOf("forkedAway"))[2]).toBe("Orphaned: bad");
});

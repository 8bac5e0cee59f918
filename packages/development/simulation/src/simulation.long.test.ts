// Covers: chain, simulation
import { expect, test } from "vitest";
import { replayLine } from "./run/printRequest.js";
import { regressionSeeds } from "./run/regressionSeeds.js";
import type { SimulationRequest } from "./run/SimulationRequest.js";
import { requestsOf } from "./run/share.js";
import { simulate } from "./run/simulate.js";

const networks = Number(process.env["VEDETTE_LONG_SIMULATIONS"] ?? 100);
const ledger = { execution: "fake", rule: "evidence" } as const;
const today = requestsOf(new Date(), networks, { ...ledger, steps: 5_000 });
const todayWithIndex = requestsOf(new Date(), networks / 10, { ...ledger, steps: 1_000, index: true });

/** Returns the failures, with the lines that repeat them. */
async function failuresOf(requests: readonly SimulationRequest[]): Promise<string[]> {
  const failures: string[] = [];
  for (const request of requests) {
    const { failure } = await simulate(request);
    if (failure !== undefined) failures.push(`${failure.message}\n${replayLine(request)}`);
  }
  return failures;
}

test(`${networks} networks hold to all checks (from seed ${today[0]!.seed})`, async () => {
  expect(await failuresOf(today)).toEqual([]);
});

test(`${networks / 10} networks with an index hold to all checks (from seed ${todayWithIndex[0]!.seed})`, async () => {
  expect(await failuresOf(todayWithIndex)).toEqual([]);
});

test.each(regressionSeeds)("networks hold to all checks where they once did not: $found", async ({ request }) => {
  expect(await failuresOf([request])).toEqual([]);
});

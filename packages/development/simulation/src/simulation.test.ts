import { describe, expect, test } from "vitest";
import { replayLine } from "./run/printRequest.js";
import { regressionSeeds } from "./run/regressionSeeds.js";
import type { SimulationRequest } from "./run/SimulationRequest.js";
import { simulate } from "./run/simulate.js";

const ledger = { execution: "fake", rule: "evidence" } as const;
const shortBadSeeds = regressionSeeds.filter(({ isShort }) => isShort);

/** Returns the failure, with the line that repeats it. */
async function failureOf(request: SimulationRequest): Promise<string | undefined> {
  const { failure } = await simulate(request);
  return failure === undefined ? undefined : `${failure.message}\n${replayLine(request)}`;
}

describe("a network under a seed", () => {
  test("is the same each time, to the last event, and holds to all checks", async () => {
    const request: SimulationRequest = { ...ledger, seed: 22, steps: 150, maxNodes: 3, index: true };
    const [one, other] = [await simulate(request), await simulate(request)];
    expect(one.failure).toBeUndefined();
    expect(one.blocks).toBeGreaterThan(3);
    expect(other).toEqual(one);
    expect((await simulate({ ...request, seed: 26 })).trace).not.toBe(one.trace);
  });

  test.each(shortBadSeeds)("holds to all checks where it once did not: $found", async ({ request }) => {
    expect(await failureOf(request)).toBeUndefined();
  });

  test("finds differing verdicts if blocks are judged by arrival and a validator lies", async () => {
    const request: SimulationRequest = { seed: 4, steps: 1_500, execution: "fake", rule: "arrival", liars: true };
    expect((await simulate(request)).failure?.check).toBe("verdicts agree");
    expect(replayLine(request)).toBe("npm run simulate -- --seed 4 --steps 1500 --rule arrival --liars");
  });
});

import { describe, expect, test } from "vitest";
import { badSeeds } from "./run/badSeeds.js";
import { replayLine } from "./run/printRequest.js";
import type { SimulationRequest } from "./run/SimulationRequest.js";
import { requestsOf } from "./run/share.js";
import { simulate } from "./run/simulate.js";

const patienceMs = 300_000;
const ledger = { execution: "fake", rule: "evidence" } as const;

/** What is wrong, with the line that does it again. */
async function failureOf(request: SimulationRequest): Promise<string | undefined> {
  const { failure } = await simulate(request);
  return failure === undefined ? undefined : `${failure.message}\n${replayLine(request)}`;
}

const today = requestsOf(new Date(), 2, { ...ledger, steps: 1_000, index: true });

describe("a network under a seed", { timeout: patienceMs }, () => {
  test("is the same each time, to the last event", async () => {
    const request: SimulationRequest = { ...ledger, seed: 22, steps: 600 };
    const [one, other] = [await simulate(request), await simulate(request)];
    expect(one.blocks).toBeGreaterThan(3);
    expect(other).toEqual(one);
    expect((await simulate({ ...request, seed: 26 })).trace).not.toBe(one.trace);
  });

  test(`holds to all checks today (from seed ${today[0]!.seed})`, async () => {
    for (const request of today) expect(await failureOf(request)).toBeUndefined();
  });

  test.each(badSeeds)("holds to all checks where it once did not: $found", async ({ request }) => {
    expect(await failureOf(request)).toBeUndefined();
  });

  test("is seen to come to other verdicts where blocks are judged by arrival and somebody lies", async () => {
    const request: SimulationRequest = { seed: 4, steps: 1_500, execution: "fake", rule: "arrival", liars: true };
    expect((await simulate(request)).failure?.check).toBe("verdicts agree");
    expect(replayLine(request)).toBe("npm run simulate -- --seed 4 --steps 1500 --rule arrival --liars");
  });
});

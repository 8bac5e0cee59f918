import { expect, test } from "vitest";
import { SimulationFailure } from "../checks/SimulationFailure.js";
import { replayLine } from "./printRequest.js";
import { drawScenario } from "./Scenario.js";
import type { SimulationResult } from "./Simulation.js";
import type { SimulationRequest } from "./SimulationRequest.js";
import { shrink } from "./shrink.js";

const failure = new SimulationFailure("finality agrees", "as an example");
const failed = { failure } as SimulationResult;
const passed = { failure: undefined } as SimulationResult;

test("a failure is reported with the fewest faults, nodes and steps that reproduce it", async () => {
  const request: SimulationRequest = { seed: 9, steps: 5_000, execution: "fake", rule: "evidence" };
  const drawn = drawScenario(request);
  const culprits = drawn.faults.slice(2, 4).map(({ number }) => number);
  expect(drawn.faults.length).toBeGreaterThan(6);
  const run = async (tried: SimulationRequest): Promise<SimulationResult> => {
    const { faults, nodes } = drawScenario(tried);
    const happens = culprits.every((one) => faults.some(({ number }) => number === one));
    return happens && nodes.length >= 4 && (tried.calmAtStep ?? tried.steps) > 1_000 ? failed : passed;
  };
  const small = await shrink(request, failed, { run, maxRuns: 200 });
  expect(small.request.faults?.toSorted()).toEqual(culprits.toSorted());
  expect(small.request.maxNodes).toBe(4);
  expect(small.request.calmAtStep).toBeLessThan(1_060);
  expect(replayLine(small.request)).toContain("--nodes 4");
});

test("another failure is not taken for the one that is looked for", async () => {
  const request: SimulationRequest = { seed: 9, steps: 5_000, execution: "fake", rule: "evidence" };
  const other = { failure: new SimulationFailure("a state is whole", "as an example") } as SimulationResult;
  const small = await shrink(request, failed, { run: async () => other, maxRuns: 50 });
  expect(small.request).toEqual(request);
});

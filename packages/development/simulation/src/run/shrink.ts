import { drawScenario } from "./Scenario.js";
import type { SimulationResult } from "./Simulation.js";
import type { SimulationRequest } from "./SimulationRequest.js";

/** Runs a request. */
export type Run = (request: SimulationRequest) => Promise<SimulationResult>;

/** A smaller request that fails in the same way. */
export interface Shrunk {
  readonly request: SimulationRequest;
  readonly outcome: SimulationResult;
  readonly runs: number;
}

/**
 * Looks for fewer steps, faults and nodes with which the same check fails.
 *
 * @param maxRuns after which the smallest found so far is given
 */
export async function shrink(
  failed: SimulationRequest,
  found: SimulationResult,
  {
    run,
    maxRuns,
  }: {
    readonly run: Run;
    readonly maxRuns: number;
  },
): Promise<Shrunk> {
  let best = { request: failed, outcome: found };
  let runs = 0;
  const tries = async (smaller: SimulationRequest): Promise<boolean> => {
    if (runs >= maxRuns) return false;
    runs += 1;
    const outcome = await run(smaller);
    if (outcome.failure?.check !== found.failure?.check) return false;
    best = { request: smaller, outcome };
    return true;
  };
  await fewerFaults(() => best.request, tries);
  for (let nodes = 3; nodes < drawScenario(best.request).nodes.length; nodes += 1)
    if (await tries({ ...best.request, maxNodes: nodes })) break;
  await fewerSteps(() => best.request, tries);
  await fewerFaults(() => best.request, tries);
  return { ...best, runs };
}

/** Leaves out halves, quarters, and so on, as long as it still fails. */
async function fewerFaults(
  best: () => SimulationRequest,
  tries: (request: SimulationRequest) => Promise<boolean>,
): Promise<void> {
  const numbers = () => drawScenario(best()).faults.map(({ number }) => number);
  for (let size = numbers().length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < numbers().length; ) {
      const left = numbers().filter((_, index) => index < from || index >= from + size);
      if (!(await tries({ ...best(), faults: left }))) from += size;
    }
  }
}

async function fewerSteps(
  best: () => SimulationRequest,
  tries: (request: SimulationRequest) => Promise<boolean>,
): Promise<void> {
  let [low, high] = [0, best().calmAtStep ?? best().steps];
  while (high - low > Math.max(50, high / 20)) {
    const middle = Math.floor((low + high) / 2);
    if (await tries({ ...best(), calmAtStep: middle })) high = middle;
    else low = middle;
  }
}

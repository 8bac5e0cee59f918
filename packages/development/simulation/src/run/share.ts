import { SeededRandom } from "../random/SeededRandom.js";
import { regressionSeeds } from "./regressionSeeds.js";
import type { SimulationRequest } from "./SimulationRequest.js";

/** The seeds that belong to a date: others every day. */
export function requestsOf(date: Date, count: number, request: Omit<SimulationRequest, "seed">): SimulationRequest[] {
  const day = Number(date.toISOString().slice(0, 10).replaceAll("-", ""));
  return Array.from({ length: count }, (_, index) => ({ ...request, seed: day * 1_000 + index }));
}

/** Most are short and small, as a fault usually needs few nodes and little time. */
export function mixedRequest({ seed, execution, rule }: SimulationRequest): SimulationRequest {
  const random = new SeededRandom(seed, "mix");
  return {
    ...{ seed, execution, rule },
    steps: random.pick([200, 200, 300, 300, 300, 400, 400, 400, 800, 1_200, 2_000]),
    maxNodes: random.pick([4, 4, 5, 5, 6, 9]),
    index: random.chance(0.5) ? true : undefined,
  };
}

/** Returns the runs of a day in CI: bad seeds, and fresh ones of each kind. */
export function dailyRequests(date: Date): SimulationRequest[] {
  return [
    ...regressionSeeds.map(({ request }) => request),
    ...requestsOf(date, 4, { steps: 3_000, execution: "fake", rule: "evidence", index: true }),
    ...requestsOf(date, 1, { steps: 3_000, execution: "fake", rule: "arrival" }),
    ...requestsOf(date, 1, { steps: 600, execution: "real", rule: "evidence" }),
  ];
}

import { badSeeds } from "./badSeeds.js";
import type { SimulationRequest } from "./Scenario.js";

/** The seeds that belong to a date: others every day. */
export function requestsOf(date: Date, count: number, request: Omit<SimulationRequest, "seed">): SimulationRequest[] {
  const day = Number(date.toISOString().slice(0, 10).replaceAll("-", ""));
  return Array.from({ length: count }, (_, index) => ({ ...request, seed: day * 1_000 + index }));
}

/** What a day in CI runs: bad seeds, and fresh ones of each kind. */
export function shareOf(date: Date): SimulationRequest[] {
  return [
    ...badSeeds.map(({ request }) => request),
    ...requestsOf(date, 14, { steps: 3_000, execution: "fake", rule: "evidence" }),
    ...requestsOf(date, 4, { steps: 3_000, execution: "fake", rule: "arrival" }),
    ...requestsOf(date, 1, { steps: 600, execution: "real", rule: "evidence" }),
  ];
}

import { expect, test } from "vitest";
import { drawScenario } from "../run/Scenario.js";
import type { SimulationRequest } from "../run/SimulationRequest.js";

const request = { steps: 5_000, execution: "fake", rule: "evidence" } as const;
const seeds = Array.from({ length: 40 }, (_, seed): SimulationRequest => ({ ...request, seed }));

test("seeds draw full disks, flipped bits, readers behind and strangers beside the other faults", () => {
  const kinds = new Set(
    seeds.flatMap((one) => drawScenario(one).faults.map(({ injectedFault }) => injectedFault.kind)),
  );
  expect([...kinds].sort()).toEqual(
    ["clock", "cut", "disk", "fill", "flip", "kill", "lag", "partition", "poison", "powerCut", "stop", "storm"].sort(),
  );
});

test("a seed keeps what it had before there were the later kinds", () => {
  const later = new Set(["fill", "flip", "lag", "poison"]);
  for (const one of seeds) {
    const before = drawScenario({ ...one, laterFaults: false }).faults;
    expect(before.some(({ injectedFault }) => later.has(injectedFault.kind))).toBe(false);
    expect(drawScenario(one).faults.filter(({ injectedFault }) => !later.has(injectedFault.kind))).toEqual(before);
  }
});

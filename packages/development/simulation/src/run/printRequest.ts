import { drawScenario } from "./Scenario.js";
import type { SimulationResult } from "./Simulation.js";
import type { SimulationRequest } from "./SimulationRequest.js";

/** The line that does a run once more. */
export function replayLine({
  seed,
  steps,
  execution,
  rule,
  faults,
  calmAtStep,
  liars,
  maxNodes,
  index,
  laterFaults,
}: SimulationRequest): string {
  const parts = [`npm run simulate -- --seed ${seed} --steps ${steps}`];
  if (execution !== "fake") parts.push(`--execution ${execution}`);
  if (rule !== "evidence") parts.push(`--rule ${rule}`);
  if (liars === true && rule !== "evidence") parts.push("--liars");
  if (faults !== undefined) parts.push(`--faults ${faults.length === 0 ? "none" : faults.join()}`);
  if (calmAtStep !== undefined) parts.push(`--calm-at ${calmAtStep}`);
  if (maxNodes !== undefined) parts.push(`--nodes ${maxNodes}`);
  if (index === true) parts.push("--index");
  if (laterFaults === false) parts.push("--no-later-faults");
  return parts.join(" ");
}

/** Prints the facts of a run, for people. */
export function printReport(request: SimulationRequest, { failure, ...outcome }: SimulationResult): string {
  const { nodes, faults, threshold, maximumParents, checkIntervalMs, linkConditions, ...rest } = drawScenario(request);
  const seconds = (outcome.virtualMs / 1_000).toFixed(1);
  const lines = [
    `${failure?.message ?? "all is well"}`,
    `after ${outcome.steps} steps, ${seconds} s of virtual time, ${outcome.blocks} blocks, final height ${outcome.finalHeight}; trace ${outcome.trace}`,
    `threshold ${threshold.toFixed(3)}, parents ${maximumParents}, a turn each ${checkIntervalMs} ms, synchrony ${rest.synchronyThreshold}, blocks in an epoch ${rest.blocksInEpoch}`,
    `network: ${Object.entries(linkConditions)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ")}`,
    ...nodes.map(({ name, role, stake, startsAtStep, beginning, slowness, diskLies }) => {
      const late = startsAtStep > 0 ? `, from step ${startsAtStep} (${beginning})` : "";
      return `  ${name}: ${role}${stake > 0 ? `, stake ${stake}` : ""}${late}, slowness ${slowness}${diskLies ? ", its disk lies" : ""}`;
    }),
    ...faults.map(
      ({ number, atStep, injectedFault }) => `  fault ${number}, step ${atStep}: ${JSON.stringify(injectedFault)}`,
    ),
  ];
  return lines.join("\n");
}

import { drawFaults, type PlannedFault } from "../faults/PlannedFault.js";
import { SeededRandom } from "../random/SeededRandom.js";
import type { PlannedNode, SimulationRequest } from "./SimulationRequest.js";

/** Everything that a seed decides before anything happens. */
export interface Scenario {
  readonly request: SimulationRequest;
  readonly nodes: readonly PlannedNode[];
  readonly threshold: number;
  readonly maximumParents: number;
  readonly synchronyThreshold: number;
  readonly checkIntervalMs: number;
  readonly blocksInEpoch: number;
  readonly deployEveryMs: number;
  readonly linkConditions: {
    readonly latencyMs: number;
    readonly reorderDelayMs: number;
    readonly reorderProbability: number;
    readonly dropProbability: number;
    readonly duplicateProbability: number;
  };
  readonly faults: readonly PlannedFault[];
}

const stakes = [100, 100, 100, 150, 200] as const;

/** Draws a network and its misfortunes. */
export function drawScenario(request: SimulationRequest): Scenario {
  const random = new SeededRandom(request.seed, "scenario");
  const nodes = drawNodes(request, random);
  const honest = nodes.filter(({ role }) => role === "validator").reduce((sum, { stake }) => sum + stake, 0);
  const lying = nodes.filter(({ role }) => role === "liar").reduce((sum, { stake }) => sum + stake, 0);
  const share = lying / (honest + lying);
  // Two honest nodes agree where liars have less than half of this (40 §16.6), and go on where they have less than half
  // of the rest.
  const least = Math.min(0.48, 2 * share + 0.06);
  const most = Math.max(least, Math.min(0.6, 1 - 2 * share - 0.1));
  const latencyMs = random.pick([5, 20, 80, 300]);
  return {
    request,
    nodes,
    threshold: least + random.unit() * (most - least),
    maximumParents: random.pick([1, 1, 3, 10]),
    synchronyThreshold: random.chance(0.3) ? 0.33 : 0,
    checkIntervalMs: random.pick([1_000, 2_000, 5_000]),
    blocksInEpoch: random.pick([3, 10, 50]),
    deployEveryMs: random.pick([200, 800, 3_000]),
    linkConditions: {
      latencyMs,
      reorderDelayMs: random.pick([0, 200, 3_000]),
      reorderProbability: random.pick([0, 0.02, 0.2]),
      dropProbability: random.pick([0, 0, 0.01, 0.1]),
      duplicateProbability: random.pick([0, 0.02, 0.2]),
    },
    faults: drawFaults(request, nodes),
  };
}

function drawNodes(
  { steps, rule, maxNodes = 9, liars: mayLie = rule === "evidence" }: SimulationRequest,
  random: SeededRandom,
): PlannedNode[] {
  const nodes: PlannedNode[] = [];
  const add = (node: Pick<PlannedNode, "role"> & Partial<PlannedNode>) => {
    const name = node.keyName === undefined || node.role === "twin" ? `n${nodes.length}` : node.keyName;
    nodes.push({
      ...{ name, keyName: undefined, stake: 0, startsAtStep: 0, beginning: "replayAll" },
      ...{ slowness: random.pick([1, 1, 1, 3]), clockMs: random.from(-1_500, 1_500), diskLies: false },
      ...node,
    });
  };
  const validators = random.from(3, 5);
  for (let index = 1; index <= validators; index += 1)
    add({ role: "validator", keyName: `v${index}`, stake: random.pick(stakes) });
  const total = nodes.reduce((sum, { stake }) => sum + stake, 0);
  const hasLiar = random.chance(0.6) && mayLie;
  if (hasLiar) add({ role: "liar", keyName: "liar", stake: Math.floor(total * random.pick([0.05, 0.12, 0.2])) });
  if (hasLiar && random.chance(0.3)) add({ role: "twin", keyName: "liar" });
  if (random.chance(0.3)) add({ role: "spare", keyName: "spare" });
  for (let index = random.from(0, 2); index > 0; index -= 1) add({ role: "observer", diskLies: random.chance(0.5) });
  for (let index = random.from(0, 2); index > 0; index -= 1)
    add({
      role: "joiner",
      startsAtStep: Math.floor(steps * (0.2 + 0.4 * random.unit())),
      beginning: random.pick(["importState", "replayAll"]),
    });
  return nodes.slice(0, Math.max(3, Math.min(9, maxNodes)));
}

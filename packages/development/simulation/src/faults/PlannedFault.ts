import { simulatedLowWaterBytes } from "../disk/SimulatedDisk.js";
import { SeededRandom } from "../random/SeededRandom.js";
import type { PlannedNode, SimulationRequest } from "../run/SimulationRequest.js";

/** A fault, with its duration if it ends by itself. */
export type InjectedFault =
  | { readonly kind: "kill" | "stop" | "powerCut"; readonly node: string; readonly forMs: number }
  | {
      readonly kind: "disk";
      readonly node: string;
      readonly environment: "chain" | "state";
      readonly fault: "failed" | "full" | "crashBefore" | "crashWithin" | "crashAfter";
      /** Transactions before it, and that it befalls. */
      readonly after: number;
      readonly times: number;
    }
  | { readonly kind: "partition"; readonly side: readonly string[]; readonly forMs: number }
  /** One of them does not reach the other. */
  | { readonly kind: "cut"; readonly from: string; readonly to: string; readonly forMs: number }
  | {
      readonly kind: "storm";
      readonly dropProbability: number;
      readonly reorderDelayMs: number;
      readonly forMs: number;
    }
  | { readonly kind: "clock"; readonly node: string; readonly byMs: number }
  /** Its disk has this room for a while, and then enough again. */
  | { readonly kind: "fill"; readonly node: string; readonly freeBytes: number; readonly forMs: number }
  /** Values are read with a flipped bit, as their checksums show. */
  | {
      readonly kind: "flip";
      readonly node: string;
      readonly environment: "chain" | "state";
      /** Reads before it, and that it befalls. */
      readonly after: number;
      readonly times: number;
    }
  /** Its readers see nothing that is written meanwhile. */
  | { readonly kind: "lag"; readonly node: string; readonly forMs: number }
  /** Discovery finds strangers that take whatever they are sent, and answer nothing. */
  | { readonly kind: "poison"; readonly node: string; readonly strangers: number; readonly forMs: number };

/** A misfortune with its place in the plan. */
export interface PlannedFault {
  /** By it a fault is named when a run is shrunk. */
  readonly number: number;
  readonly atStep: number;
  readonly injectedFault: InjectedFault;
}

const stepsPerFault = 400;
const maxFaults = 60;
/** Numbers of the faults that {@link drawLater} draws begin here. */
const firstLater = 1_000;

/** Draws what goes wrong. Each fault has numbers of its own, so that others stay as they are when it is left out. */
export function drawFaults(
  { seed, steps, faults, laterFaults = true }: SimulationRequest,
  nodes: readonly PlannedNode[],
): PlannedFault[] {
  const count = Math.min(maxFaults, Math.ceil(steps / stepsPerFault));
  const drawing = new SeededRandom(seed, "faults");
  const wildness = drawing.pick([0, 0.5, 1, 1]) * drawing.pick([1, 1, 2, 5]);
  const planned: PlannedFault[] = [];
  const plan = (number: number, drawOne: typeof draw) => {
    const random = new SeededRandom(seed, `fault ${number}`);
    const atStep = Math.floor(steps * (0.03 + 0.9 * random.unit()));
    if (faults?.includes(number) !== false) planned.push({ number, atStep, injectedFault: drawOne(random, nodes) });
  };
  for (let number = 0; number < Math.ceil(count * wildness); number += 1) plan(number, draw);
  if (laterFaults)
    for (let number = 0; number < Math.ceil((count * wildness) / 2); number += 1) plan(firstLater + number, drawLater);
  return planned.sort((one, other) => one.atStep - other.atStep);
}

function draw(random: SeededRandom, nodes: readonly PlannedNode[]): InjectedFault {
  const node = random.pick(nodes).name;
  const forMs = random.pick([500, 3_000, 15_000, 60_000]);
  switch (random.below(8)) {
    case 0:
      return { kind: random.pick(["kill", "stop"]), node, forMs };
    case 1:
      return { kind: "powerCut", node, forMs };
    case 2:
    case 3:
      return {
        ...{ kind: "disk", node, environment: random.pick(["chain", "chain", "state"]), after: random.below(30) },
        fault: random.pick(["failed", "full", "crashBefore", "crashWithin", "crashAfter", "crashAfter"]),
        times: random.pick([1, 1, 1, 5, 40]),
      };
    case 4:
    case 5: {
      const names = random.shuffled(nodes.map(({ name }) => name));
      return { kind: "partition", side: names.slice(0, random.from(1, names.length - 1)), forMs };
    }
    case 6: {
      const [from, to] = random.shuffled(nodes.map(({ name }) => name));
      return { kind: "cut", from: from!, to: to!, forMs };
    }
    default:
      return random.chance(0.7)
        ? { kind: "storm", dropProbability: random.unit() * 0.6, reorderDelayMs: random.pick([500, 20_000]), forMs }
        : { kind: "clock", node, byMs: random.from(-4_000, 4_000) };
  }
}

/** Kinds that came later: seeds keep what {@link draw} gives them. */
function drawLater(random: SeededRandom, nodes: readonly PlannedNode[]): InjectedFault {
  const node = random.pick(nodes).name;
  const forMs = random.pick([500, 3_000, 15_000, 60_000]);
  switch (random.below(4)) {
    case 0:
      return { kind: "fill", node, freeBytes: random.pick([0, simulatedLowWaterBytes - 1]), forMs };
    case 1:
      return {
        ...{ kind: "flip", node, environment: random.pick(["chain", "chain", "state"]) },
        ...{ after: random.below(300), times: random.pick([1, 1, 1, 5]) },
      };
    case 2:
      return { kind: "lag", node, forMs };
    default:
      return { kind: "poison", node, strangers: random.pick([5, 40, 200]), forMs };
  }
}

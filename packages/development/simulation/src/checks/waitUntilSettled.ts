import type { ChainRules } from "@vedette/chain";
import type { VirtualTime } from "../time/VirtualTime.js";
import { checkAtEnd, type EndFacts, findUnsettled } from "./checkAtEnd.js";
import { SimulationFailure } from "./SimulationFailure.js";

/** The parts that come to rest. */
export interface Resting extends Omit<EndFacts, "target"> {
  readonly time: VirtualTime;
  readonly rules: ChainRules;
  /** Is called now and then. */
  readonly look: () => void;
  readonly hasFailed: () => boolean;
}

/** The time after the faults until finality goes on and all accepted deploys are final. */
const maxMs = 900_000;
const lookMs = 1_000;
/** Blocks that must become final. */
const progress = 3n;
/**
 * A validator may be silent where nothing waits and others keep the last final block young (40 §9.10). After this time
 * it gets a deploy, as it must be able to.
 */
const silenceMs = 60_000;

/** Lets time go on without faults until all is well, and looks at everything then. @throws {SimulationFailure} */
export async function waitUntilSettled({ time, rules, look, hasFailed, ...rest }: Resting): Promise<void> {
  const { oracle, workload } = rest;
  const [made, beganMs] = [oracle.made, time.nowMs];
  const facts = { ...rest, target: oracle.top.number + progress };
  for (let [lookAtMs, deployAtMs] = [beganMs, beganMs + silenceMs]; ; ) {
    if (time.nowMs >= lookAtMs) {
      const left = findUnsettled(facts);
      if (left === undefined) break;
      if (time.nowMs > beganMs + maxMs)
        throw new SimulationFailure(left.check, `${left.detail} (${oracle.made - made} blocks were made in calm)`);
      if (left.silent !== undefined && time.nowMs >= deployAtMs) {
        workload.submitTo(left.silent);
        deployAtMs = time.nowMs + silenceMs;
      }
      lookAtMs = time.nowMs + lookMs;
      look();
    }
    if (!(await time.step())) break;
    if (hasFailed()) return;
  }
  checkAtEnd(facts, rules);
}

import { errorText } from "@vedette/errors";
import type { Body, Deploy } from "@vedette/protocol";
import { isStoreFailure } from "@vedette/store";
import type { DeployFault } from "./DeployFault.js";
import { ProposeError } from "./ProposeError.js";
import type { PlayOutcome } from "./ProposeExecution.js";
import type { PlayPlan } from "./planAttempts.js";

/** Receives what happens while deploys are tried. */
export interface PlayListener {
  /** No block can be made with this deploy. */
  putAside(deploy: Deploy, fault: DeployFault): void;
  /** These deploys together cannot be executed; fewer are tried. */
  tooHeavy(deploys: readonly Deploy[], reason: string): void;
}

/** Plays that fail before a block without deploys is made. */
const maxFailures = 8;

/**
 * Executes deploys, or as many of them as can be executed.
 *
 * A deploy that cannot be executed (it divides by zero, takes all memory, or more time than it may) must not keep
 * others out of blocks. Normally the execution leaves it out. Where the execution as a whole fails but names the
 * deploy, the rest is tried without it; otherwise the deploys are halved until it is found. A deploy is put aside
 * only where a block can be executed without it.
 *
 * @param mayGoOn whether there is time for another play with deploys
 * @throws {ProposeError} `playFailed` when not even a block without deploys can be executed; {StoreError} where the disk
 * failed: no deploy is put aside then
 * @cost one play; at most {@link maxFailures} more
 */
export async function playDeploys(
  play: (plan: PlayPlan<Deploy>) => Promise<PlayOutcome>,
  plan: PlayPlan<Deploy>,
  notices: PlayListener,
  mayGoOn: () => boolean = () => true,
): Promise<Body> {
  const blamed: (readonly [Deploy, DeployFault])[] = [];
  let { tries } = plan;
  for (let failures = 0; ; failures += 1) {
    const outcome = await answerOf(play, { ...plan, tries });
    if (outcome.kind === "played") {
      for (const { index, reason, isLimit, isOfMachine = false } of outcome.leftOut) {
        const deploy = plan.deploys[index];
        if (deploy !== undefined) blamed.push([deploy, { reason, isCostly: isLimit && !isOfMachine, isOfMachine }]);
      }
      for (const [deploy, fault] of blamed) notices.putAside(deploy, fault);
      return outcome.body;
    }
    const { message, deployIndex } = outcome;
    if (tries.length === 0) throw new ProposeError({ code: "playFailed", message });
    const places = [...new Set(tries.map(({ index }) => index))];
    const culprit = places.length === 1 ? places[0] : deployIndex;
    const deploy = culprit === undefined ? undefined : plan.deploys[culprit];
    if (culprit !== undefined && deploy !== undefined) {
      blamed.push([deploy, { reason: message, isCostly: true }]);
      tries = tries.filter(({ index }) => index !== culprit);
    } else {
      notices.tooHeavy(
        places.flatMap((place) => plan.deploys[place] ?? []),
        message,
      );
      const kept = new Set(places.slice(0, Math.ceil(places.length / 2)));
      tries = tries.filter(({ index }) => kept.has(index));
    }
    if (failures + 1 >= maxFailures || !mayGoOn()) tries = [];
  }
}

async function answerOf(
  play: (plan: PlayPlan<Deploy>) => Promise<PlayOutcome>,
  plan: PlayPlan<Deploy>,
): Promise<PlayOutcome> {
  try {
    return await play(plan);
  } catch (error) {
    if (isStoreFailure(error)) throw error;
    return { kind: "failed", message: errorText(error) };
  }
}

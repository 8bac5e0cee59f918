import { errorText } from "@vedette/errors";
import type { Body, Deploy } from "@vedette/protocol";
import { isStoreFailure } from "@vedette/store";
import type { DeployExclusion } from "./DeployExclusion.js";
import { ProposeError } from "./ProposeError.js";
import type { PlayOutcome } from "./ProposeExecution.js";
import type { PlayPlan } from "./planAttempts.js";

/** Receives what happens while deploys are tried. */
export interface PlayListener {
  /** No block can be made with this deploy. */
  putAside(deploy: Deploy, fault: DeployExclusion): void;
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
  const blamed: BlamedDeploy[] = [];
  let { tries } = plan;
  for (let failures = 1; ; failures += 1) {
    const outcome = await answerOf(play, { ...plan, tries });
    if (outcome.kind === "played") {
      for (const [deploy, fault] of [...blamed, ...leftOutOf(outcome, plan)]) notices.putAside(deploy, fault);
      return outcome.body;
    }
    const { message, deployIndex } = outcome;
    if (tries.length === 0) throw new ProposeError({ code: "playFailed", message });
    const places = [...new Set(tries.map(({ index }) => index))];
    const { deploy, left } = withoutCulprit(places, deployIndex, plan);
    if (deploy !== undefined) blamed.push([deploy, { reason: message, isCostly: true }]);
    else notices.tooHeavy(deploysAt(places, plan), message);
    tries = failures < maxFailures && mayGoOn() ? tries.filter(({ index }) => left.has(index)) : [];
  }
}

type BlamedDeploy = readonly [Deploy, DeployExclusion];

/** The deploys that a play left out of the block. */
function leftOutOf({ leftOut }: Extract<PlayOutcome, { kind: "played" }>, plan: PlayPlan<Deploy>): BlamedDeploy[] {
  return leftOut.flatMap(({ index, reason, isLimit, isOfMachine = false }) =>
    deploysAt([index], plan).map((deploy): BlamedDeploy => {
      return [deploy, { reason, isCostly: isLimit && !isOfMachine, isOfMachine }];
    }),
  );
}

function deploysAt(places: readonly number[], { deploys }: PlayPlan<Deploy>): Deploy[] {
  return places.flatMap((place) => deploys[place] ?? []);
}

/** @returns the deploy to blame for a failure, where it is known, and the places to try next: without it, or half */
function withoutCulprit(places: readonly number[], failedAt: number | undefined, plan: PlayPlan<Deploy>) {
  const culprit = places.length === 1 ? places[0]! : (failedAt ?? -1);
  const deploy = plan.deploys[culprit];
  const half = Math.ceil(places.length / 2);
  const left = deploy === undefined ? places.slice(0, half) : places.filter((place) => place !== culprit);
  return { deploy, left: new Set(left) };
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

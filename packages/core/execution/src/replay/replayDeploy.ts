import type { Deploy, ProcessedDeploy } from "@vedette/protocol";
import type { InterpreterError } from "@vedette/rholang";
import type { ReplaySpace } from "@vedette/tuplespace";
import { type ChannelValues, GatheredChannels, readChannelValues } from "../numberChannels.js";
import type { Evaluated, Runtime } from "../runtime/Runtime.js";
import { preChargeAmount, refundAmount } from "../systemDeploy/amounts.js";
import { runSystemDeploy } from "../systemDeploy/runSystemDeploy.js";
import { preChargeStart, refundStart } from "../systemDeploy/seeds.js";
import { preChargeTerm, refundTerm, type SystemDeployTerm } from "../systemDeploy/terms.js";
import type { ReplayFailure } from "./ReplayFailure.js";

/** The results of a replayed deploy besides its state. */
export interface ReplayedDeploy extends ChannelValues {
  /** Why its program failed; none where it did not. */
  readonly errors: readonly InterpreterError[];
}

/**
 * Replays one user deploy: pre-charge, term, refund.
 *
 * Quirk 41 §4.3: if the pre-charge of a deploy failed, its cost and errored flag are not checked. The unused log of a
 * failed deploy is ignored.
 *
 * @param isCharged false for the deploys of genesis
 * @spec 41 §4.3
 */
export function replayDeploy(
  runtime: Runtime<ReplaySpace>,
  processed: ProcessedDeploy,
  isCharged: boolean,
): ReplayedDeploy | ReplayFailure {
  const { space } = runtime;
  const used = new GatheredChannels();
  space.rig(processed.log);
  const outcome = isCharged ? replayCharged(runtime, processed, used) : replayTerm(runtime, processed, used);
  if (outcome.failure !== undefined) return outcome.failure;
  const leftover = outcome.succeeded ? space.checkReplayData() : undefined;
  if (leftover !== undefined) return { code: "UnusedCOMMEvent", message: leftover.message };
  return { ...readChannelValues(space, used, runtime.form), errors: outcome.errors };
}

interface Outcome {
  readonly succeeded: boolean;
  readonly failure: ReplayFailure | undefined;
  /** The program's own. */
  readonly errors: readonly InterpreterError[];
}

const succeeded: Outcome = { succeeded: true, failure: undefined, errors: [] };

function replayCharged(runtime: Runtime<ReplaySpace>, processed: ProcessedDeploy, used: GatheredChannels): Outcome {
  const { deploy, systemDeployError } = processed;
  const expected = systemDeployError === "" ? undefined : systemDeployError;
  const { form } = runtime;
  const charge = preChargeStart(form, deploy.signature);
  const preCharge = preChargeTerm(form, deploy.deployer, preChargeAmount(deploy), charge);
  const charging = replayExpecting(runtime, preCharge, expected, used);
  if (charging !== undefined) return failed(charging);
  if (expected !== undefined) return succeeded;
  const term = replayTerm(runtime, processed, used);
  if (term.failure !== undefined) return term;
  const refund = refundTerm(form, refundAmount(deploy, processed.cost), refundStart(form, deploy.signature));
  const refunding = replayExpecting(runtime, refund, undefined, used);
  return refunding === undefined ? term : failed(refunding);
}

function replayTerm(runtime: Runtime<ReplaySpace>, processed: ProcessedDeploy, used: GatheredChannels): Outcome {
  const evaluated = evaluateOrRevert(runtime, processed.deploy);
  const hasFailed = evaluated.errors.length > 0;
  if (processed.failed !== hasFailed)
    return failed({ code: "ReplayStatusMismatch", initialFailed: processed.failed, replayFailed: hasFailed });
  if (processed.cost !== evaluated.cost)
    return failed({ code: "ReplayCostMismatch", initialCost: processed.cost, replayCost: evaluated.cost });
  if (hasFailed) return { succeeded: false, failure: undefined, errors: evaluated.errors };
  runtime.space.settle();
  used.add(evaluated);
  return succeeded;
}

/** Evaluates the term; a failed one leaves no trace in the space. @spec 41 §2.3 */
function evaluateOrRevert(runtime: Runtime, deploy: Deploy): Evaluated {
  const before = runtime.space.softCheckpoint();
  const evaluated = runtime.evaluateDeploy(deploy);
  if (evaluated.errors.length > 0) runtime.space.revert(before);
  return evaluated;
}

/**
 * Runs a system deploy in replay and compares its answer with the recorded one.
 *
 * @param expected the recorded refusal, if there was one
 * @spec 41 §4.3
 */
export function replayExpecting(
  runtime: Runtime<ReplaySpace>,
  deploy: SystemDeployTerm,
  expected: string | undefined,
  used: GatheredChannels,
): ReplayFailure | undefined {
  const result = runSystemDeploy(runtime, deploy);
  if (expected === undefined && result.error !== undefined)
    return { code: "ReplayStatusMismatch", initialFailed: false, replayFailed: true };
  if (expected !== undefined && result.error === undefined)
    return { code: "ReplayStatusMismatch", initialFailed: true, replayFailed: false };
  if (expected !== result.error)
    return { code: "SystemDeployErrorMismatch", playError: expected!, replayError: result.error! };
  runtime.space.settle();
  used.add(result);
  return undefined;
}

function failed(failure: ReplayFailure): Outcome {
  return { succeeded: false, failure, errors: [] };
}

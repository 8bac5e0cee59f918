import type { Deploy, Event, ProcessedDeploy } from "@vedette/protocol";
import type { InterpreterError } from "@vedette/rholang";
import type { PlaySpace } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import { type ChannelValues, GatheredChannels, readChannelValues } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import { preChargeAmount, refundAmount } from "../systemDeploy/amounts.js";
import { runSystemDeploy } from "../systemDeploy/runSystemDeploy.js";
import { preChargeStart, refundStart } from "../systemDeploy/seeds.js";
import { preChargeTerm, refundTerm, type SystemDeployTerm } from "../systemDeploy/terms.js";

/** A deploy with what came of it, and what it left on number channels. */
export interface PlayedDeploy extends ChannelValues {
  readonly processed: ProcessedDeploy;
  /** Why its program failed; none where it did not. */
  readonly errors: readonly InterpreterError[];
}

/**
 * Plays one user deploy: takes the charge, evaluates the term, gives back the unused part.
 *
 * A deploy that cannot pay is not evaluated; only its refused charge is recorded. A term that fails leaves no trace in
 * the state, but all of its log is in the block, and it pays.
 *
 * @param isCharged false for the deploys of genesis
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`: no block can be made
 * @spec 41 §2.3, 61 §10
 */
export function playDeploy(runtime: Runtime<PlaySpace>, deploy: Deploy, isCharged: boolean): PlayedDeploy {
  const gathered: Gathered = { log: [], used: new GatheredChannels() };
  const played = isCharged ? playCharged(runtime, deploy, gathered) : playTerm(runtime, deploy, gathered);
  return { ...played, ...readChannelValues(runtime.space, gathered.used, runtime.form) };
}

/** The lists to which the parts of a deploy add. */
export interface Gathered {
  /** One part after the other, each in the order of the dialect. @spec 30 §3.1, 61 §3 */
  readonly log: Event[];
  readonly used: GatheredChannels;
}

type PlayedTerm = Pick<PlayedDeploy, "processed" | "errors">;

function playCharged(runtime: Runtime<PlaySpace>, deploy: Deploy, gathered: Gathered): PlayedTerm {
  const { form } = runtime;
  const charge = preChargeStart(form, deploy.signature);
  const preCharge = preChargeTerm(form, deploy.deployer, preChargeAmount(deploy), charge);
  const refusal = playSystemTerm(runtime, preCharge, gathered);
  // Quirk 41 §2.3: a deploy that cannot pay does not count as failed.
  if (refusal !== undefined) {
    const processed = { deploy, cost: 0n, log: gathered.log, failed: false, systemDeployError: refusal };
    return { processed, errors: [] };
  }
  const played = playTerm(runtime, deploy, gathered);
  const refund = refundTerm(form, refundAmount(deploy, played.processed.cost), refundStart(form, deploy.signature));
  const refundRefusal = playSystemTerm(runtime, refund, gathered);
  if (refundRefusal !== undefined)
    throw new ExecutionError({ code: "platform", message: `Unable to refund remaining gas (${refundRefusal})` });
  return played;
}

/** The result holds the gathered log itself, to which a refund may still add. */
function playTerm(runtime: Runtime<PlaySpace>, deploy: Deploy, { log, used }: Gathered): PlayedTerm {
  const { space } = runtime;
  const before = space.softCheckpoint();
  const evaluated = runtime.evaluateDeploy(deploy);
  for (const event of space.softCheckpoint().log) log.push(event);
  const { cost, errors } = evaluated;
  const failed = errors.length > 0;
  if (failed) space.revert(before);
  else used.add(evaluated);
  return { processed: { deploy, cost, log, failed, systemDeployError: "" }, errors };
}

/**
 * Runs a system deploy and takes its log.
 *
 * @returns why the contract refused, if it did
 * @throws {ExecutionError} `platform`
 * @spec 41 §3.1
 */
export function playSystemTerm(
  runtime: Runtime<PlaySpace>,
  deploy: SystemDeployTerm,
  { log, used }: Gathered,
): string | undefined {
  const result = runSystemDeploy(runtime, deploy);
  for (const event of runtime.space.softCheckpoint().log) log.push(event);
  used.add(result);
  return result.error;
}

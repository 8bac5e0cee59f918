import { budgetMeter, type InterpreterError } from "@vedette/rholang";
import type { MatchDatum, StateStore } from "@vedette/tuplespace";
import type { ReplayFailure } from "../replay/ReplayFailure.js";
import { replayDeploy } from "../replay/replayDeploy.js";
import type { ReportedBlock } from "../report/reportBlock.js";
import { blockDataOf, Runtime } from "../runtime/Runtime.js";
import { DeployTracer, type ProgramTrace } from "./DeployTracer.js";
import { TracedReplaySpace } from "./TracedSpace.js";
import { tracingOf } from "./tracingOf.js";

/** The steps of a deploy in a block. */
export interface DeployTrace extends ProgramTrace {
  readonly cost: bigint;
  readonly errors: readonly InterpreterError[];
  /** Why its program did not run; empty where it did. */
  readonly systemDeployError: string;
}

/**
 * Replays a block up to one of its deploys, and returns the steps of that one's program. Its payment and refund are
 * left out.
 *
 * @param index of the deploy in the block
 * @returns a failure where the block, up to there, cannot be replayed as stated
 * @throws {ExecutionError} `stopped` and others; {SpaceError} `unknownRoot`; {RangeError} there is no such deploy
 * @cost that of replaying the deploys before, and some times that of the one itself
 */
export function traceDeploy(store: StateStore, traced: ReportedBlock, index: number): DeployTrace | ReplayFailure {
  const { block, preState, invalidBlocks, budget, form } = traced;
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const match: MatchDatum = (pattern, data) => form.matchDatum(pattern, data, meter);
  const space = new TracedReplaySpace(store, match, preState, form.guardHolds);
  const runtime = new Runtime(space, { replay: true, form, budget });
  runtime.enterBlock(blockDataOf(block), invalidBlocks);
  const isCharged = block.parents.length > 0;
  const { deploys } = block.body;
  const last = deploys[index];
  if (last === undefined) throw new RangeError(`The block has no deploy ${index}`);
  for (const before of deploys.slice(0, index)) {
    const replayed = replayDeploy(runtime, before, isCharged);
    if ("code" in replayed) return replayed;
  }
  const trace = new DeployTracer(form);
  runtime.deployTracing = tracingOf(trace, space);
  const replayed = replayDeploy(runtime, last, isCharged);
  if ("code" in replayed) return replayed;
  const { cost, systemDeployError } = last;
  return { ...trace.take(), cost, errors: replayed.errors, systemDeployError };
}

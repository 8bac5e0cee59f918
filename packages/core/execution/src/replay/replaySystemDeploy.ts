import type { ProcessedSystemDeploy } from "@vedette/protocol";
import type { ReplaySpace } from "@vedette/tuplespace";
import { GatheredChannels, readChannelValues } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import { blockSystemDeployTerm } from "../systemDeploy/blockSystemDeploy.js";
import type { ReplayFailure } from "./ReplayFailure.js";
import { type ReplayedDeploy, replayExpecting } from "./replayDeploy.js";

/**
 * Replays a slash or the close of a block.
 *
 * Quirk 41 §4.2: which ones are there, and in which order, is not checked here.
 *
 * @spec 41 §4.2
 */
export function replaySystemDeploy(
  runtime: Runtime<ReplaySpace>,
  processed: ProcessedSystemDeploy,
  sender: Uint8Array,
  sequenceNumber: number,
): ReplayedDeploy | ReplayFailure {
  const { systemDeploy, error } = processed;
  if (systemDeploy.kind === "empty" || error !== "")
    return { code: "InternalError", message: "Expected system deploy" };
  const term = blockSystemDeployTerm(runtime.form, systemDeploy, sender, sequenceNumber);
  const { space } = runtime;
  const used = new GatheredChannels();
  space.rig(processed.log);
  const failure = replayExpecting(runtime, term, undefined, used);
  if (failure !== undefined) return failure;
  const values = readChannelValues(space, used, runtime.form);
  const leftover = space.checkReplayData();
  return leftover === undefined ? { ...values, errors: [] } : { code: "UnusedCOMMEvent", message: leftover.message };
}

import type { Block } from "@vedette/protocol";
import type { InterpreterError } from "@vedette/rholang";
import { type ReplaySpace, SpaceError } from "@vedette/tuplespace";
import type { ChannelValues } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import type { FailedReplay, ReplayFailure } from "./ReplayFailure.js";
import { replayDeploy } from "./replayDeploy.js";
import { replaySystemDeploy } from "./replaySystemDeploy.js";

/** Receives each deploy that was replayed. */
export interface ReplayListener {
  deploy(errors: readonly InterpreterError[]): void;
  systemDeploy(): void;
}

/**
 * Replays the deploys of a block one after another, in a runtime that has entered the block.
 *
 * @returns the values that each left on the channels that merging treats as numbers: user deploys, then system deploys
 * @throws {ExecutionError} `platform`, `numberChannel`, `fatal`, `stopped`
 * @spec 41 §4.2
 */
export function replayDeploys(
  runtime: Runtime<ReplaySpace>,
  block: Block,
  listener: ReplayListener,
): readonly ChannelValues[] | FailedReplay {
  const values: ChannelValues[] = [];
  const isCharged = block.parents.length > 0;
  for (const deploy of block.body.deploys) {
    const result = guard(() => replayDeploy(runtime, deploy, isCharged));
    if ("code" in result) return { failure: result, deployIndex: values.length };
    values.push(result);
    listener.deploy(result.errors);
  }
  for (const deploy of block.body.systemDeploys) {
    const result = guard(() => replaySystemDeploy(runtime, deploy, block.sender, block.sequenceNumber));
    if ("code" in result) return { failure: result, deployIndex: values.length };
    values.push(result);
    listener.systemDeploy();
  }
  return values;
}

/** A COMM outside of the trace is an exception of the space, not an error of the program. @spec 30 §3.4 */
function guard<T extends object>(replay: () => T | ReplayFailure): T | ReplayFailure {
  try {
    return replay();
  } catch (error) {
    if (error instanceof SpaceError) return { code: "InternalError", message: error.message };
    throw error;
  }
}

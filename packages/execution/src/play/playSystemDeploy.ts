import type { Event, ProcessedSystemDeploy } from "@vedette/protocol";
import type { Par } from "@vedette/terms";
import type { PlaySpace } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import { type NumberChannels, readNumberChannels } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import { type BlockSystemDeploy, blockSystemDeployTerm } from "../systemDeploy/blockSystemDeploy.js";
import { playSystemTerm } from "./playDeploy.js";

/** A system deploy with what came of it, and what it left on number channels. */
export interface PlayedSystemDeploy {
  readonly processed: ProcessedSystemDeploy;
  readonly numberChannels: NumberChannels;
}

/**
 * Plays a slash or the close of a block.
 *
 * @param sender the block's creator
 * @throws {ExecutionError} `systemDeploy` when the contract refuses: no block is made then; `platform`,
 *   `numberChannel`, `fatal`, `stopped`
 * @spec 41 §2.1, §3
 */
export function playSystemDeploy(
  runtime: Runtime<PlaySpace>,
  systemDeploy: BlockSystemDeploy,
  sender: Uint8Array,
  sequenceNumber: number,
): PlayedSystemDeploy {
  const log: Event[] = [];
  const mergeable: Par[] = [];
  const refusal = playSystemTerm(runtime, blockSystemDeployTerm(runtime.form, systemDeploy, sender, sequenceNumber), {
    log,
    mergeable,
  });
  if (refusal !== undefined) throw new ExecutionError({ code: "systemDeploy", message: refusal });
  return {
    processed: { systemDeploy, log, error: "" },
    numberChannels: readNumberChannels(runtime.space, mergeable, runtime.form),
  };
}

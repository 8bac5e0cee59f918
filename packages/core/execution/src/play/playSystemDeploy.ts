import type { ProcessedSystemDeploy } from "@vedette/protocol";
import type { PlaySpace } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import { type ChannelValues, GatheredChannels, readChannelValues } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import { type BlockSystemDeploy, blockSystemDeployTerm } from "../systemDeploy/blockSystemDeploy.js";
import { type Gathered, playSystemTerm } from "./playDeploy.js";

/** A system deploy with what came of it, and what it left on number channels. */
export interface PlayedSystemDeploy extends ChannelValues {
  readonly processed: ProcessedSystemDeploy;
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
  const gathered: Gathered = { log: [], used: new GatheredChannels() };
  const term = blockSystemDeployTerm(runtime.form, systemDeploy, sender, sequenceNumber);
  const refusal = playSystemTerm(runtime, term, gathered);
  if (refusal !== undefined) throw new ExecutionError({ code: "systemDeploy", message: refusal });
  return {
    processed: { systemDeploy, log: gathered.log, error: "" },
    ...readChannelValues(runtime.space, gathered.used, runtime.form),
  };
}

import type { ApprovedBlockPort } from "../ports/ChainPort.js";
import { SyncError } from "../SyncError.js";

/** The roles that a configuration may ask for. @spec 40 §3.1 */
export interface CeremonyModes {
  readonly genesisValidator: boolean;
  readonly ceremonyMaster: boolean;
}

/**
 * What a node does at its start: go on with its chain, or join the network.
 *
 * @spec 40 §3.1
 * @throws {SyncError} `roleNotSupported` for a role in a genesis ceremony, where there is no chain yet
 */
export function launchDecision(approved: ApprovedBlockPort, modes: CeremonyModes): "running" | "initializing" {
  if (approved.get() !== undefined) return "running";
  if (modes.genesisValidator) throw new SyncError({ code: "roleNotSupported", role: "genesis validator" });
  if (modes.ceremonyMaster) throw new SyncError({ code: "roleNotSupported", role: "ceremony master" });
  return "initializing";
}

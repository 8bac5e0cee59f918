import type { ApprovedBlockPort } from "../ports/ChainPort.js";

/** The roles that a configuration may require. @spec 40 §3.1 */
export interface CeremonyModes {
  readonly genesisValidator: boolean;
  readonly ceremonyMaster: boolean;
}

/** How a node starts. @spec 40 §3.1 */
export type Launch = "running" | "genesisValidator" | "ceremonyMaster" | "initializing";

/**
 * Decides how a node starts: it continues its chain, takes part in a genesis ceremony, or joins the network.
 *
 * @spec 40 §3.1
 */
export function launchDecision(approved: ApprovedBlockPort, modes: CeremonyModes): Launch {
  if (approved.get() !== undefined) return "running";
  if (modes.genesisValidator) return "genesisValidator";
  if (modes.ceremonyMaster) return "ceremonyMaster";
  return "initializing";
}

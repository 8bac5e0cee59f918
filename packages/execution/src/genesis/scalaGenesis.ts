import { type SystemContract, systemContracts } from "@vedette/contracts";
import { scalaExecution } from "../form/scalaExecution.js";
import { contractTerm } from "./contractTerm.js";
import type { GenesisForm } from "./GenesisForm.js";
import { checkGenesisParameters, type GenesisParameters } from "./GenesisParameters.js";
import { contractSigner, systemPublicKeys } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

/** Genesis of networks of the reference node. @spec 41 §5 */
export const scalaGenesis: GenesisForm<SystemContract, GenesisParameters> = {
  contracts: systemContracts,
  vaultContract: "ASIVault.rho",
  phloLimit: 2147483647n,
  execution: scalaExecution,
  checkParameters: checkGenesisParameters,
  contractTerm,
  signerOf: contractSigner,
  vaultBatches,
  forbiddenKeys: systemPublicKeys,
};

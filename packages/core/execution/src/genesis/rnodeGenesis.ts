import { type SystemContract, systemContracts } from "@vedette/contracts";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { contractTerm } from "./contractTerm.js";
import type { GenesisDialect } from "./GenesisDialect.js";
import { checkGenesisParameters, type GenesisParameters } from "./GenesisParameters.js";
import { contractSigner, systemPublicKeys } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

/** Genesis of rnode networks. @spec 41 §5 */
export const rnodeGenesis: GenesisDialect<SystemContract, GenesisParameters> = {
  contracts: systemContracts,
  vaultContract: "ASIVault.rho",
  phloLimit: 2147483647n,
  execution: rnodeExecution,
  checkParameters: checkGenesisParameters,
  contractTerm,
  signerOf: contractSigner,
  vaultBatches,
  forbiddenKeys: systemPublicKeys,
};

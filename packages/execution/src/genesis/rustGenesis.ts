import { type NewerContract, newerContractSource, newerContracts, withNewerUrns } from "@vedette/contracts";
import { compareBytes } from "@vedette/crypto";
import { rustExecution } from "../form/rustExecution.js";
import { fillMacros, posMacros } from "./contractTerm.js";
import type { GenesisForm } from "./GenesisForm.js";
import { checkNewerParameters, type NewerGenesisParameters } from "./NewerGenesisParameters.js";
import { contractSigner, vaultSigner } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

/** Genesis of networks of the newer node. @spec 61 §11 */
export const rustGenesis: GenesisForm<NewerContract, NewerGenesisParameters> = {
  contracts: newerContracts,
  vaultContract: "SystemVault.rho",
  phloLimit: (1n << 63n) - 1n,
  execution: rustExecution,
  checkParameters: checkNewerParameters,
  contractTerm: (contract, parameters) => fillMacros(newerContractSource(contract), macrosOf(contract, parameters)),
  signerOf: contractSigner,
  vaultBatches: (wallets) =>
    vaultBatches(wallets).map((batch) => withNewerUrns(batch).replaceAll("ASIVault", "SystemVault")),
  forbiddenKeys: [...newerContracts.map((contract) => contractSigner(contract).key), vaultSigner.key].map(
    ({ publicKey }) => publicKey,
  ),
};

function macrosOf(contract: NewerContract, parameters: NewerGenesisParameters): (readonly [string, string])[] {
  const { nativeToken, faultToleranceThresholdPpm } = parameters;
  switch (contract) {
    case "TokenMetadata.rho":
      return [
        ["nativeTokenName", nativeToken.name],
        ["nativeTokenSymbol", nativeToken.symbol],
        ["nativeTokenDecimals", `${nativeToken.decimals}`],
      ];
    case "PoS.rhox":
      return [...posMacros(parameters, compareBytes), ["faultToleranceThresholdPpm", `${faultToleranceThresholdPpm}`]];
    default:
      return [];
  }
}

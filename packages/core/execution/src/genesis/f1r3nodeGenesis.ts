import { type F1r3nodeContract, f1r3nodeContractSource, f1r3nodeContracts, withF1r3nodeUrns } from "@vedette/contracts";
import { compareBytes } from "@vedette/crypto";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { fillMacros, posMacros } from "./contractTerm.js";
import { checkF1r3nodeParameters, type F1r3nodeGenesisParameters } from "./F1r3nodeGenesisParameters.js";
import type { GenesisDialect } from "./GenesisDialect.js";
import { contractSigner, vaultSigner } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

/** Genesis of f1r3node networks. @spec 61 §11 */
export const f1r3nodeGenesis: GenesisDialect<F1r3nodeContract, F1r3nodeGenesisParameters> = {
  contracts: f1r3nodeContracts,
  vaultContract: "SystemVault.rho",
  phloLimit: (1n << 63n) - 1n,
  execution: f1r3nodeExecution,
  checkParameters: checkF1r3nodeParameters,
  contractTerm: (contract, parameters) => fillMacros(f1r3nodeContractSource(contract), macrosOf(contract, parameters)),
  signerOf: contractSigner,
  vaultBatches: (wallets) =>
    vaultBatches(wallets).map((batch) => withF1r3nodeUrns(batch).replaceAll("ASIVault", "SystemVault")),
  forbiddenKeys: [...f1r3nodeContracts.map((contract) => contractSigner(contract).key), vaultSigner.key].map(
    ({ publicKey }) => publicKey,
  ),
};

function macrosOf(contract: F1r3nodeContract, parameters: F1r3nodeGenesisParameters): (readonly [string, string])[] {
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

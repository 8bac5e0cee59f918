import { type SystemContract, systemContracts } from "@vedette/contracts";
import { type Deploy, signDeploy } from "@vedette/protocol";
import { contractTerm } from "./contractTerm.js";
import { checkGenesisParameters, type GenesisParameters } from "./GenesisParameters.js";
import { contractSigner, type GenesisSigner, vaultSigner } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

/** Phlo of every deploy of genesis; nobody pays for it. @spec 41 §5.1 */
const genesisPhloLimit = 2147483647n;

/**
 * The deploys of a network's first block, in their order: the contracts, the vaults, proof of stake.
 *
 * Equal parameters give equal deploys, signatures included.
 *
 * @throws {GenesisError}
 * @spec 41 §5.1, §5.2
 */
export function genesisDeploys(parameters: GenesisParameters): Deploy[] {
  return genesisDeploysOf(systemContracts, parameters);
}

/**
 * The deploys of some of the contracts; vaults are filled if ASIVault is among them.
 *
 * @throws {GenesisError}
 */
export function genesisDeploysOf(contracts: readonly SystemContract[], parameters: GenesisParameters): Deploy[] {
  checkGenesisParameters(parameters);
  const { shardId, wallets } = parameters;
  const deployOf = (contract: SystemContract) =>
    genesisDeploy(contractTerm(contract, parameters), contractSigner(contract), shardId);
  const chosen = systemContracts.filter((contract) => contracts.includes(contract));
  const batches = chosen.includes("ASIVault.rho") ? vaultBatches(wallets) : [];
  const { key, timestamp } = vaultSigner;
  return [
    ...chosen.filter((contract) => contract !== "PoS.rhox").map(deployOf),
    ...batches.map((term, index) => genesisDeploy(term, { key, timestamp: timestamp + BigInt(index) }, shardId)),
    ...chosen.filter((contract) => contract === "PoS.rhox").map(deployOf),
  ];
}

function genesisDeploy(term: string, { key, timestamp }: GenesisSigner, shardId: string): Deploy {
  const phlo = { phloLimit: genesisPhloLimit, phloPrice: 0n };
  return signDeploy({ term, timestamp, ...phlo, validAfterBlockNumber: 0n, shardId }, key);
}

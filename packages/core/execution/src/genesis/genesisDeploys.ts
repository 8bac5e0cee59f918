import type { GenesisContract } from "@vedette/contracts";
import { type Deploy, signDeploy } from "@vedette/protocol";
import type { GenesisDialect } from "./GenesisDialect.js";
import type { GenesisParameters } from "./GenesisParameters.js";
import { type GenesisSigner, vaultSigner } from "./systemKeys.js";

/**
 * The deploys of a network's first block, in their order: the contracts, the vaults, proof of stake.
 *
 * Equal parameters give equal deploys, signatures included.
 *
 * @throws {GenesisError}
 * @spec 41 §5.1, §5.2, 61 §11
 */
export function genesisDeploys<C extends GenesisContract, P extends GenesisParameters>(
  parameters: P,
  form: GenesisDialect<C, P>,
): Deploy[] {
  return genesisDeploysOf(form.contracts, parameters, form);
}

/**
 * The deploys of some of the contracts; vaults are filled if theirs is among them.
 *
 * @throws {GenesisError}
 */
export function genesisDeploysOf<C extends GenesisContract, P extends GenesisParameters>(
  contracts: readonly C[],
  parameters: P,
  form: GenesisDialect<C, P>,
): Deploy[] {
  form.checkParameters(parameters);
  const { phloLimit } = form;
  const { shardId, wallets } = parameters;
  const deploy = (term: string, { key, timestamp }: GenesisSigner) =>
    signDeploy({ term, timestamp, phloLimit, phloPrice: 0n, validAfterBlockNumber: 0n, shardId }, key);
  const deployOf = (contract: C) => deploy(form.contractTerm(contract, parameters), form.signerOf(contract));
  const chosen = form.contracts.filter((contract) => contracts.includes(contract));
  const last = form.contracts.at(-1);
  const batches = chosen.includes(form.vaultContract) ? form.vaultBatches(wallets) : [];
  const { key, timestamp } = vaultSigner;
  return [
    ...chosen.filter((contract) => contract !== last).map(deployOf),
    ...batches.map((term, index) => deploy(term, { key, timestamp: timestamp + BigInt(index) })),
    ...chosen.filter((contract) => contract === last).map(deployOf),
  ];
}

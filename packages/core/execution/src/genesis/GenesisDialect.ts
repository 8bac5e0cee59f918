import type { GenesisContract } from "@vedette/contracts";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { F1r3nodeGenesisParameters } from "./F1r3nodeGenesisParameters.js";
import type { GenesisParameters, GenesisWallet } from "./GenesisParameters.js";
import type { GenesisSigner } from "./systemKeys.js";

/**
 * The parts of a dialect's genesis.
 *
 * @spec 41 §5, 61 §11
 */
export interface GenesisDialect<Contract extends GenesisContract, Parameters extends GenesisParameters> {
  /** In the order of their deploys, but that what fills the vaults comes before the last one, which is proof of stake. */
  readonly contracts: readonly Contract[];
  /** Without it there are no vaults to fill. */
  readonly vaultContract: Contract;
  /** Phlo limit of every deploy; no account is charged. */
  readonly phloLimit: bigint;
  /** How the deploys are executed. */
  readonly execution: ExecutionDialect;
  /** @throws {GenesisError} for parameters of which no working network comes */
  checkParameters(parameters: Parameters): void;
  /** The text of a contract's deploy. */
  contractTerm(contract: Contract, parameters: Parameters): string;
  signerOf(contract: Contract): GenesisSigner;
  /** The texts of the deploys that fill vaults. */
  vaultBatches(wallets: readonly GenesisWallet[]): string[];
  /** The public keys that may not sign deploys. @spec 41 §5.1, 61 §11 */
  readonly forbiddenKeys: readonly Uint8Array[];
}

/** The genesis of any dialect, for parameters that satisfy every one. */
export type AnyGenesisForm = GenesisDialect<GenesisContract, F1r3nodeGenesisParameters>;

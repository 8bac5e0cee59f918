import type { Bond } from "@vedette/protocol";
import { GenesisError } from "./GenesisError.js";

/** A vault that genesis fills. @spec 41 §5.2 */
export interface GenesisWallet {
  readonly address: string;
  readonly balance: bigint;
}

/** The parameters of the genesis contracts. @spec 41 §5.2 */
export interface GenesisParameters {
  readonly shardId: string;
  /** In any order; no key twice. */
  readonly bonds: readonly Bond[];
  /** In the order of the wallets file, which is part of genesis. */
  readonly wallets: readonly GenesisWallet[];
  readonly minimumBond: bigint;
  readonly maximumBond: bigint;
  readonly epochLength: number;
  readonly quarantineLength: number;
  readonly numberOfActiveValidators: number;
  /** Hexadecimal, as configured; the order is part of genesis. */
  readonly posMultiSigPublicKeys: readonly string[];
  readonly posMultiSigQuorum: number;
}

const maxInteger = 2n ** 63n - 1n;

/**
 * Refuses parameters of which no working network comes; some of them would also change the text of a contract.
 *
 * @throws {GenesisError}
 * @spec 41 §5.2
 */
export function checkGenesisParameters(parameters: GenesisParameters): void {
  const { bonds, wallets, minimumBond, maximumBond, posMultiSigPublicKeys, posMultiSigQuorum } = parameters;
  if (bonds.length === 0) throw new GenesisError({ code: "noValidators" });
  checkNumber("minimumBond", minimumBond);
  checkNumber("maximumBond", maximumBond);
  if (minimumBond > maximumBond) throw new GenesisError({ code: "bondLimits", minimumBond, maximumBond });
  for (const { stake } of bonds) checkNumber("a validator's stake", stake);
  const allStakes = bonds.reduce((sum, { stake }) => sum + stake, 0n);
  checkNumber("the sum of all stakes", allStakes, 1);
  for (const { address, balance } of wallets) {
    if (!/^[1-9a-zA-Z]+$/.test(address)) throw new GenesisError({ code: "invalidAddress", address });
    checkNumber(`the balance of ${address}`, balance);
  }
  checkNumber("quarantineLength", parameters.quarantineLength);
  // The first close of a block would divide by an epoch of 0; without a quorum there is no vault for slashed stakes.
  for (const name of ["epochLength", "numberOfActiveValidators", "posMultiSigQuorum"] as const)
    checkNumber(name, parameters[name], 1);
  for (const key of posMultiSigPublicKeys)
    if (!/^([0-9a-fA-F]{2})+$/.test(key)) throw new GenesisError({ code: "invalidKey", key });
  if (posMultiSigQuorum > posMultiSigPublicKeys.length)
    throw new GenesisError({ code: "quorum", quorum: posMultiSigQuorum, keys: posMultiSigPublicKeys.length });
}

function checkNumber(name: string, value: bigint | number, least: 0 | 1 = 0): void {
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isWhole || value < least || value > maxInteger)
    throw new GenesisError({ code: "invalidNumber", name, value, least });
}

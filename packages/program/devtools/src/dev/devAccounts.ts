import { blake2b256, isSecp256k1PrivateKey, secp256k1PublicKeyOf, vaultAddressOfPublicKey } from "@vedette/crypto";
import { blockAlgorithm, type DeployKey } from "@vedette/protocol";

/** A key of a chain for development. It protects nothing: the seed, which may be public, gives it. */
export interface DevAccount extends DeployKey {
  /** The address of its vault. */
  readonly address: string;
}

/** The accounts of a chain for development. */
export interface DevAccounts {
  /** The accounts that are shown, each with coins. */
  readonly users: readonly DevAccount[];
  /** Gives coins away. */
  readonly faucet: DevAccount;
  /** Makes the blocks. */
  readonly validator: DevAccount;
  /** Signs the deploys of blocks that have no other. */
  readonly miner: DevAccount;
}

/** How many accounts are shown. */
export const accountCount = 10;

/** The accounts of a seed: key `n` is Blake2b-256 of `<seed>/<n>`, and so on for `faucet`, `validator`, `miner`. */
export function devAccountsOf(seed: string): DevAccounts {
  return {
    users: Array.from({ length: accountCount }, (_, index) => accountOf(`${seed}/${index}`)),
    faucet: accountOf(`${seed}/faucet`),
    validator: accountOf(`${seed}/validator`),
    miner: accountOf(`${seed}/miner`),
  };
}

function accountOf(path: string): DevAccount {
  let privateKey = blake2b256(new TextEncoder().encode(path));
  // One of 2^128 hashes is not a key.
  while (!isSecp256k1PrivateKey(privateKey)) privateKey = blake2b256(privateKey);
  const publicKey = secp256k1PublicKeyOf(privateKey);
  return { algorithm: blockAlgorithm, privateKey, publicKey, address: vaultAddressOfPublicKey(publicKey)! };
}

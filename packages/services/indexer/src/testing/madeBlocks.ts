import { blake2b256, secp256k1PublicKeyOf, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { DeployFacts, IndexBlockFacts } from "../facts/IndexBlockFacts.js";

const encoder = new TextEncoder();

/** A hash that a test names. */
export function madeHash(name: string): string {
  return toHex(blake2b256(encoder.encode(name)));
}

/** A user of tests. */
interface MadeUser {
  readonly key: string;
  readonly address: string;
}

/** Users by name: every made block and deploy needs some, and a key takes long to compute. */
const users = new Map<string, MadeUser>();

/** The public key of a user of tests, and its vault. */
export function madeUser(name: string): MadeUser {
  const known = users.get(name);
  if (known !== undefined) return known;
  const key = secp256k1PublicKeyOf(blake2b256(encoder.encode(`user ${name}`)));
  const user = { key: toHex(key), address: vaultAddressOfPublicKey(key)! };
  users.set(name, user);
  return user;
}

/** Makes the facts of a deploy without a signature. */
export function madeDeploy(name: string, change: Partial<DeployFacts> = {}): DeployFacts {
  return {
    id: `${madeHash(`deploy ${name}`)}00`,
    deployer: madeUser("u1").key,
    term: `@"${name}"!(1)`,
    timestamp: 1_700_000_000_000n,
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 100_000n,
    validAfterBlockNumber: 0n,
    shardId: "root",
    cost: 250n,
    errored: false,
    hasEffect: change.errored !== true,
    error: undefined,
    names: undefined,
    registered: [],
    ...change,
  };
}

/** Makes the facts of a block on a network of two validators. */
export function madeBlock(name: string, number: number, change: Partial<IndexBlockFacts> = {}): IndexBlockFacts {
  const [v1, v2] = [madeUser("v1").key, madeUser("v2").key];
  return {
    hash: madeHash(`block ${name}`),
    number: BigInt(number),
    parents: number === 0 ? [] : [madeHash(`parent of ${name}`)],
    timestamp: 1_700_000_000_000n + BigInt(number) * 5_000n,
    sender: number === 0 ? "" : v1,
    seqNum: number,
    preStateHash: madeHash(`before ${name}`),
    postStateHash: madeHash(`after ${name}`),
    sig: `${madeHash(`sig ${name}`)}01`,
    sigAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: "",
    version: 1n,
    bonds: [
      { validator: v1, stake: 1_000n },
      { validator: v2, stake: 10n },
    ],
    justifications: [{ validator: v1, latestBlockHash: madeHash(`parent of ${name}`) }],
    rejectedDeploys: [],
    deploys: [],
    slashings: [],
    transfers: [],
    balances: [],
    fate: "pending",
    rejections: [],
    faultTolerance: undefined,
    ...change,
  };
}

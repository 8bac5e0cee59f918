import { blake2b256 } from "@vedette/crypto";
import { type BlockCodec, type Deploy, decodeDeploy, hashKey } from "@vedette/protocol";
import { contentKeyOf } from "./RecentDeploys.js";
import { programShape } from "./RecentlyPaidPrograms.js";

/** The pool's record of a deploy in memory; the deploy itself is read when a block is made. */
export interface PoolEntry {
  /** Hash of the signature: the deploy's key in the pool. */
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
  /** Public key, as a key of a map. */
  readonly deployer: string;
  /** Names the deploy without its signature. */
  readonly content: string;
  /** Its {@link programShape}. */
  readonly shape: string | undefined;
  /** The address that it came from, where addresses distinguish senders; forgotten at a restart. */
  readonly origin: string | undefined;
  readonly validAfterBlockNumber: bigint;
  /** Unix milliseconds; 0: never. Of f1r3node. @spec 61 §1.2 */
  readonly expirationTimestamp: bigint;
  readonly phloLimit: bigint;
  readonly sizeBytes: number;
}

/** Copies what stays in memory, so that the rest of the message does not. */
export function poolEntryOf(deploy: Deploy, sizeBytes: number, origin?: string): PoolEntry {
  const signature = Uint8Array.from(deploy.signature);
  const { validAfterBlockNumber, expirationTimestamp = 0n, phloLimit, term } = deploy;
  return {
    ...{ key: blake2b256(signature), signature, deployer: hashKey(deploy.deployer), content: contentKeyOf(deploy) },
    ...{ shape: programShape(term), origin, validAfterBlockNumber, expirationTimestamp, phloLimit, sizeBytes },
  };
}

/** The deploy in a value of the pool's table, behind the number of its arrival; `undefined` when it is damaged. */
export function deployInValue(value: Uint8Array, form: BlockCodec): Deploy | undefined {
  try {
    return value.length < 8 ? undefined : decodeDeploy(value.subarray(8), form);
  } catch {
    return undefined;
  }
}

import { blake2b256, concatBytes } from "@vedette/crypto";
import { type BlockForm, type Deploy, decodeDeploy, encodeDeploy, hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";

/** A deploy that is tried no more. */
export interface RefusedDeploy {
  readonly deploy: Deploy;
  readonly reason: string;
}

const mostDeploys = 2_000;
const mostBytes = 64_000_000;
const longestReason = 1_000;
const lengthBytes = 2;

interface Kept {
  readonly key: Uint8Array;
  readonly reason: string;
  readonly sizeBytes: number;
  readonly validAfterBlockNumber: bigint;
}

/**
 * The deploys that could not be executed, with the reason, as long as a block could have them; over restarts too.
 *
 * Bounded: the oldest go first, and count as never seen then.
 */
export class RefusedDeploys {
  readonly #store: Store;
  readonly #table: ReadableTable;
  readonly #form: BlockForm | undefined;
  /** By key of the table; the last ones come last, but for those of an earlier run. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /**
   * @param store has the tables of the chain environment
   * @param form  of the network's deploys; left out: the reference node's
   */
  constructor(store: Store, form?: BlockForm) {
    this.#store = store;
    this.#form = form;
    this.#table = store.table("refusedDeploys");
    for (const [key, value] of this.#table.range()) {
      const { deploy, reason } = decodeRefused(value, form);
      this.#keep(key, { deploy, reason }, value.length);
    }
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Why a deploy is tried no more. */
  reasonOf(signature: Uint8Array): string | undefined {
    return this.#kept.get(hashKey(blake2b256(signature)))?.reason;
  }

  /** @param tables of the transaction in which the deploy leaves the pool */
  put(tables: WritableTables, deploy: Deploy, reason: string): void {
    const refused = { deploy, reason: reason.slice(0, longestReason) };
    const key = blake2b256(deploy.signature);
    const value = encodeRefused(refused, this.#form);
    tables("refusedDeploys").put(key, value);
    this.#keep(key, refused, value.length);
    for (const oldest of this.#kept.values()) {
      if (this.#kept.size <= mostDeploys && this.#bytes <= mostBytes) return;
      tables("refusedDeploys").delete(oldest.key);
      this.#forget(oldest);
    }
  }

  /** Forgets those that no block can have any more. @param earliest deploys that are valid after it have expired */
  removeExpired(earliest: bigint): void {
    const gone = [...this.#kept.values()].filter(({ validAfterBlockNumber }) => validAfterBlockNumber <= earliest);
    if (gone.length === 0) return;
    this.#store.write((tables) => {
      for (const { key } of gone) tables("refusedDeploys").delete(key);
    });
    for (const kept of gone) this.#forget(kept);
  }

  #keep(key: Uint8Array, { deploy, reason }: RefusedDeploy, sizeBytes: number): void {
    const { validAfterBlockNumber } = deploy;
    this.#kept.set(hashKey(key), { key: Uint8Array.from(key), reason, sizeBytes, validAfterBlockNumber });
    this.#bytes += sizeBytes;
  }

  #forget({ key, sizeBytes }: Kept): void {
    this.#kept.delete(hashKey(key));
    this.#bytes -= sizeBytes;
  }
}

/** A deploy that is tried no more; `undefined`: it is none. @param store has the tables of the chain environment */
export function findRefusedDeploy(store: Store, signature: Uint8Array, form?: BlockForm): RefusedDeploy | undefined {
  const value = store.table("refusedDeploys").get(blake2b256(signature));
  return value === undefined ? undefined : decodeRefused(value, form);
}

function encodeRefused({ deploy, reason }: RefusedDeploy, form: BlockForm | undefined): Uint8Array {
  const text = new TextEncoder().encode(reason);
  return concatBytes(Uint8Array.of(text.length >> 8, text.length & 255), text, encodeDeploy(deploy, form));
}

function decodeRefused(value: Uint8Array, form: BlockForm | undefined): RefusedDeploy {
  const end = lengthBytes + (value[0]! << 8) + value[1]!;
  return {
    reason: new TextDecoder().decode(value.subarray(lengthBytes, end)),
    deploy: decodeDeploy(value.subarray(end), form),
  };
}

import { blake2b256, concatBytes } from "@vedette/crypto";
import { type BlockCodec, type Deploy, decodeDeploy, encodeDeploy, hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";

/** A deploy that left the pool without having been in a final block. */
export interface LeftDeploy {
  readonly deploy: Deploy;
  /** Why it is tried no more; `undefined`: no block can have it any more. */
  readonly reason: string | undefined;
}

const maxDeploys = 2_000;
const maxBytes = 64_000_000;
const longestReason = 1_000;
const lengthBytes = 2;

interface Kept extends Pick<LeftDeploy, "reason"> {
  readonly key: Uint8Array;
  readonly sizeBytes: number;
  readonly validAfterBlockNumber: bigint;
}

/**
 * The deploys that left the pool since they could not be executed, with the reason, or since no block can have them any
 * more; over restarts too.
 *
 * Bounded: those that no block can have go first, then the oldest, and count as never seen then.
 */
export class LeftDeploys {
  readonly #store: Store;
  readonly #table: ReadableTable;
  readonly #form: BlockCodec;
  /** By key of the table, in order of arrival; those of an earlier run have no order. */
  readonly #refused = new Map<string, Kept>();
  readonly #over = new Map<string, Kept>();
  #bytes = 0;

  /**
   * @param store has the tables of the chain environment
   * @param form  of the network's deploys; left out: rnode's
   */
  constructor(store: Store, form: BlockCodec) {
    this.#store = store;
    this.#form = form;
    this.#table = store.table("refusedDeploys");
    for (const [key, value] of this.#table.range()) {
      const { deploy, reason } = decodeLeft(value, form);
      this.#keep(key, { deploy, reason }, value.length);
    }
  }

  get size(): number {
    return this.#refused.size + this.#over.size;
  }

  /** Why a deploy is tried no more; `undefined` of one that is not known, and of one that no block can have. */
  reasonOf(signature: Uint8Array): string | undefined {
    return this.#refused.get(hashKey(blake2b256(signature)))?.reason;
  }

  /** @param tables of the transaction in which the deploy leaves the pool; @param reason as in {@link LeftDeploy} */
  put(tables: WritableTables, deploy: Deploy, reason?: string): void {
    const left = { deploy, reason: reason?.slice(0, longestReason) };
    const key = blake2b256(deploy.signature);
    const value = encodeLeft(left, this.#form);
    tables("refusedDeploys").put(key, value);
    this.#forget(key);
    this.#keep(key, left, value.length);
    while (this.size > maxDeploys || this.#bytes > maxBytes) {
      const oldest = firstOf(this.#over) ?? firstOf(this.#refused)!;
      tables("refusedDeploys").delete(oldest.key);
      this.#forget(oldest.key);
    }
  }

  /**
   * Drops the reasons of refused deploys that no block can have any more.
   * @param earliest valid after it: expired
   */
  passOver(earliest: bigint): void {
    const over = [...this.#refused.values()].filter(({ validAfterBlockNumber }) => validAfterBlockNumber <= earliest);
    if (over.length === 0) return;
    this.#store.write((tables) => {
      for (const { key } of over) {
        const value = this.#table.get(key);
        if (value !== undefined) this.put(tables, decodeLeft(value, this.#form).deploy);
      }
    });
  }

  #keep(key: Uint8Array, { deploy, reason }: LeftDeploy, sizeBytes: number): void {
    const { validAfterBlockNumber } = deploy;
    const kept = reason === undefined ? this.#over : this.#refused;
    kept.set(hashKey(key), { key: Uint8Array.from(key), reason, sizeBytes, validAfterBlockNumber });
    this.#bytes += sizeBytes;
  }

  #forget(key: Uint8Array): void {
    const name = hashKey(key);
    for (const kept of [this.#over, this.#refused]) {
      this.#bytes -= kept.get(name)?.sizeBytes ?? 0;
      kept.delete(name);
    }
  }
}

function firstOf(kept: ReadonlyMap<string, Kept>): Kept | undefined {
  for (const one of kept.values()) return one;
  return undefined;
}

/** A deploy that left the pool; `undefined`: it is none. @param store has the tables of the chain environment */
export function findLeftDeploy(store: Store, signature: Uint8Array, form: BlockCodec): LeftDeploy | undefined {
  const value = store.table("refusedDeploys").get(blake2b256(signature));
  return value === undefined ? undefined : decodeLeft(value, form);
}

/** No reason has no letters. */
function encodeLeft({ deploy, reason = "" }: LeftDeploy, form: BlockCodec): Uint8Array {
  const text = new TextEncoder().encode(reason);
  return concatBytes(Uint8Array.of(text.length >> 8, text.length & 255), text, encodeDeploy(deploy, form));
}

function decodeLeft(value: Uint8Array, form: BlockCodec): LeftDeploy {
  const end = lengthBytes + (value[0]! << 8) + value[1]!;
  const reason = new TextDecoder().decode(value.subarray(lengthBytes, end));
  return { reason: reason === "" ? undefined : reason, deploy: decodeDeploy(value.subarray(end), form) };
}

import { blake2b256, equalBytes } from "@vedette/crypto";
import { type Bond, hashKey, ProtoReader } from "@vedette/protocol";
import type { ReadableTable } from "@vedette/store";
import { BondSet, encodeBonds } from "./BondSet.js";

/** Bonds change once an epoch; more different ones than these are hardly looked at together. */
const maximumSets = 256;
const maximumValidators = 10_000;

/** Gives equal bonds, and equal keys, the one same object, since thousands of blocks have the same. */
export class BondSets {
  private readonly known = new Map<string, BondSet>();
  private readonly validators = new Map<string, Uint8Array>();
  private readonly stored: Pick<ReadableTable, "get">;

  /** @param stored the sets that blocks are stored with, by their hashes */
  constructor(stored: Pick<ReadableTable, "get">) {
    this.stored = stored;
  }

  /** The one array that holds this public key. */
  validator(key: Uint8Array): Uint8Array {
    const name = hashKey(key);
    let known = this.validators.get(name);
    if (known === undefined) {
      known = Uint8Array.from(key);
      if (this.validators.size >= maximumValidators) this.validators.clear();
      this.validators.set(name, known);
    }
    return known;
  }

  /** The set of these bonds. */
  of(bonds: readonly Bond[]): BondSet {
    return this.decode(encodeBonds(bonds));
  }

  /** The stored set with this hash; `undefined` where it is not there, or another one. @throws {WireError} */
  find(hash: Uint8Array): BondSet | undefined {
    const known = this.known.get(hashKey(hash));
    if (known !== undefined) return known;
    const bytes = this.stored.get(hash);
    const set = bytes === undefined ? undefined : this.decode(bytes);
    return set !== undefined && equalBytes(set.hash, hash) ? set : undefined;
  }

  /** The set of stored bonds. @throws {WireError} */
  decode(bytes: Uint8Array): BondSet {
    const hash = blake2b256(bytes);
    const key = hashKey(hash);
    let set = this.known.get(key);
    if (set === undefined) {
      set = new BondSet(
        readBonds(bytes).map(({ validator, stake }) => ({ validator: this.validator(validator), stake })),
        hash,
      );
      if (this.known.size >= maximumSets) this.known.clear();
      this.known.set(key, set);
    }
    return set;
  }
}

function readBonds(bytes: Uint8Array): Bond[] {
  const reader = new ProtoReader(bytes);
  const bonds: { validator: Uint8Array; stake: bigint }[] = [];
  while (reader.offset < bytes.length) {
    const tag = reader.tag(0, 0);
    const last = bonds.at(-1);
    if (tag === 0x0a) bonds.push({ validator: reader.bytesElement(bytes.length).slice(), stake: 0n });
    else if (tag === 0x10 && last !== undefined) last.stake = reader.int64Field();
    else reader.skip(tag, bytes.length);
  }
  return bonds;
}

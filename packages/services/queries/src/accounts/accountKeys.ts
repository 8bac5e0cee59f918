import { blake2b256 } from "@vedette/crypto";

/** The two parts of the history of an address. */
export type AccountEntryKind = "deploys" | "transfers";

/** The place of an entry: its block, and its index there. */
export interface AccountPlace {
  readonly height: bigint;
  readonly blockHash: Uint8Array;
  readonly index: number;
}

const kindBytes: { readonly [K in AccountEntryKind]: number } = { deploys: 0, transfers: 1 };
const addressBytes = 20;
const prefixBytes = addressBytes + 1;
const placeBytes = 8 + 32 + 4;

const encoder = new TextEncoder();

/** Returns the prefix of an address and kind in keys. */
export function accountPrefix(kind: AccountEntryKind, address: string): Uint8Array {
  const prefix = new Uint8Array(prefixBytes);
  prefix.set(blake2b256(encoder.encode(address)).subarray(0, addressBytes));
  prefix[addressBytes] = kindBytes[kind];
  return prefix;
}

/** Later places are greater. */
export function historyKey(prefix: Uint8Array, place: Uint8Array): Uint8Array {
  const key = new Uint8Array(prefixBytes + placeBytes);
  key.set(prefix);
  key.set(place, prefixBytes);
  return key;
}

/** The place's part of a key. */
export function encodePlace({ height, blockHash, index }: AccountPlace): Uint8Array {
  const bytes = new Uint8Array(placeBytes);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, height);
  bytes.set(blockHash, 8);
  view.setUint32(40, index);
  return bytes;
}

/** @param key of an entry, or its place's part alone */
export function placeIn(key: Uint8Array): AccountPlace {
  const bytes = key.subarray(key.length - placeBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, placeBytes);
  return { height: view.getBigUint64(0), blockHash: bytes.slice(8, 40), index: view.getUint32(40) };
}

/** Whether bytes from outside can be a place. */
export function isPlace(bytes: Uint8Array): boolean {
  return bytes.length === placeBytes;
}

/** Greater than every place. */
export const endOfPlaces: Uint8Array = new Uint8Array(placeBytes).fill(0xff);

/** Heights never have it; the keys of permanent gaps do. */
const settledBit = 0x80;

/**
 * Returns the key of a block with unknown transfers.
 *
 * @param isSettled whether they never will be; earlier versions marked none, and kept all under the other key, so that
 * their settled gaps are checked once more
 */
export function gapKey(height: bigint, blockHash: Uint8Array, isSettled: boolean): Uint8Array {
  const key = new Uint8Array(40);
  new DataView(key.buffer).setBigUint64(0, height);
  if (isSettled) key[0]! |= settledBit;
  key.set(blockHash, 8);
  return key;
}

/** Where the gaps begin that stay. */
export const settledGaps: Uint8Array = Uint8Array.of(settledBit);

/** Height in a {@link gapKey}. */
export function heightInGap(key: Uint8Array): bigint {
  const height = new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(0);
  return BigInt.asUintN(63, height);
}

/** Hash of the block in a {@link gapKey}. */
export function blockInGap(key: Uint8Array): Uint8Array {
  return key.slice(8);
}

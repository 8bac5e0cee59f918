import { blake2b256Of } from "@vedette/crypto";

const rootBytes = 32;
/** Of the hash of sender and sequence number: enough that nobody finds two with the same. */
const makerBytes = 20;
/** Of the keys of earlier versions, in front of the root. */
const lengthBytes = 2;

/**
 * The key under which is kept what executing a block has shown: the state that it led to, then who made it and its
 * number, as a hash.
 *
 * @spec 30 §A.7
 */
export function recordKey(postState: Uint8Array, sender: Uint8Array, sequenceNumber: number): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setInt32(0, sequenceNumber);
  const maker = blake2b256Of([sender, number]).subarray(0, makerBytes);
  const key = new Uint8Array(postState.length + makerBytes);
  key.set(postState);
  key.set(maker, postState.length);
  return key;
}

/** The state in a key of this version or of an earlier one. */
export function rootOfKey(key: Uint8Array): Uint8Array {
  return key.length === rootBytes + makerBytes
    ? key.subarray(0, rootBytes)
    : key.subarray(lengthBytes, lengthBytes + rootBytes);
}

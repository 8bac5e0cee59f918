import { blake2b256Of } from "@vedette/crypto";

const rootBytes = 32;
/** Length of the hash of sender and sequence number: 160 bits are enough that no attacker finds a collision. */
const makerBytes = 20;
/** The length field of earlier versions' keys, in front of the root. */
const lengthBytes = 2;

/**
 * The key of the record of a block's execution: the post-state, then a hash of the block's sender and sequence number.
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

import { compareByLengthThenBytes } from "@vedette/crypto";
import { BitReader } from "./BitReader.js";
import { corrupted } from "./LeafError.js";

const countBytes = 4;
const lengthBytes = 8;

/**
 * The encoding of several items in the order given: their number, then each with its length.
 *
 * @spec 30 §2.3 (`vec`)
 */
export function encodeVector(items: readonly Uint8Array[]): Uint8Array {
  let length = countBytes;
  for (const item of items) length += lengthBytes + item.length;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, items.length);
  let offset = countBytes;
  for (const item of items) {
    view.setInt32(offset + 4, item.length);
    bytes.set(item, offset + lengthBytes);
    offset += lengthBytes + item.length;
  }
  return bytes;
}

/**
 * The encoding of the items of one leaf: sorted, shorter ones first; equal ones are all kept.
 *
 * The order in which the items were added is lost hereby.
 *
 * @spec 30 §4.4
 */
export function encodeItemList(items: readonly Uint8Array[]): Uint8Array {
  return encodeVector(items.length < 2 ? items : items.slice().sort(compareByLengthThenBytes));
}

/**
 * Takes a list apart. The items are views of `bytes`.
 *
 * @spec 30 §4.6
 * @throws {LeafError} `corrupted`
 */
export function decodeVector(bytes: Uint8Array): Uint8Array[] {
  const reader = new BitReader(bytes);
  const count = reader.count(lengthBytes);
  const items: Uint8Array[] = [];
  for (let i = 0; i < count; i += 1) items.push(reader.prefixed());
  if (reader.remainingBytes !== 0) throw corrupted(`${reader.remainingBytes} bytes follow a list of ${count} items.`);
  return items;
}

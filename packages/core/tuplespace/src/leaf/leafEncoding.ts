import { corrupted, type LeafKind } from "./LeafError.js";

const kindsByTag: readonly (LeafKind | undefined)[] = ["joins", "data", "continuations", undefined];
const lengthBytes = 8;

/**
 * Wraps a list encoding: two bits are its kind, so that all that follows is shifted by two bits.
 *
 * @spec 30 §4.5
 */
export function encodeLeaf(kind: LeafKind, list: Uint8Array): Uint8Array {
  const leaf = new Uint8Array(list.length + lengthBytes + 1);
  leaf[0] = kindsByTag.indexOf(kind) << 6;
  const length = list.length;
  // The upper four bytes of the length are zero.
  writeShifted(leaf, 4, (length >>> 24) & 0xff);
  writeShifted(leaf, 5, (length >>> 16) & 0xff);
  writeShifted(leaf, 6, (length >>> 8) & 0xff);
  writeShifted(leaf, 7, length & 0xff);
  for (let i = 0; i < length; i += 1) writeShifted(leaf, lengthBytes + i, list[i]!);
  return leaf;
}

/**
 * Unwraps a leaf. Bits after the list are ignored.
 *
 * @spec 30 §4.6
 * @throws {LeafError} `corrupted`
 */
export function decodeLeaf(leaf: Uint8Array): { readonly kind: LeafKind; readonly list: Uint8Array } {
  if (leaf.length < lengthBytes + 1) throw corrupted(`A leaf of ${leaf.length} bytes is too short.`);
  const kind = kindsByTag[leaf[0]! >>> 6];
  if (kind === undefined) throw corrupted("A leaf is of no known kind.");
  let length = 0;
  for (let i = 0; i < lengthBytes; i += 1) length = length * 256 + shifted(leaf, i);
  if (length > leaf.length - lengthBytes - 1) throw corrupted(`A leaf of ${leaf.length} bytes says it has ${length}.`);
  const list = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) list[i] = shifted(leaf, lengthBytes + i);
  return { kind, list };
}

function writeShifted(leaf: Uint8Array, index: number, byte: number): void {
  leaf[index] = leaf[index]! | (byte >>> 2);
  leaf[index + 1] = (byte & 3) << 6;
}

function shifted(leaf: Uint8Array, index: number): number {
  return ((leaf[index]! << 2) | (leaf[index + 1]! >>> 6)) & 0xff;
}

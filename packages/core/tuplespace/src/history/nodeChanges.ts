import { HistoryError } from "./HistoryError.js";
import { hashLength, RadixNode } from "./RadixNode.js";

/** A node as another one with some items changed. */
export interface NodeChanges {
  /** The hash of the other node, which is stored as a whole. */
  readonly whole: Uint8Array;
  /** Encodings of the items that are new or changed, ascending. */
  readonly items: Uint8Array;
  /** Indexes of the items that are gone, ascending. */
  readonly gone: Uint8Array;
}

/**
 * Returns the changes that make one node of another.
 *
 * @returns `undefined` where the node's items are not in order, as a node that came from a peer may have them, or where
 *   the changes are longer than a limit
 */
export function changesBetween(
  whole: { readonly hash: Uint8Array; readonly node: RadixNode },
  node: RadixNode,
  limitBytes: number,
): NodeChanges | undefined {
  const { bytes } = node;
  const changed = new Pieces();
  const gone: number[] = [];
  let next = 0;
  for (let offset = 0; offset < bytes.length; offset = node.endOf(offset)) {
    const index = bytes[offset]!;
    if (index < next) return undefined;
    for (; next < index; next += 1) if (whole.node.offsetOf(next) >= 0) gone.push(next);
    next = index + 1;
    if (hasSameItem(whole.node, node, offset)) continue;
    changed.add(bytes, offset, node.endOf(offset));
    if (changed.length > limitBytes) return undefined;
  }
  for (; next < 256; next += 1) if (whole.node.offsetOf(next) >= 0) gone.push(next);
  // Their number is one byte.
  if (gone.length > 255) return undefined;
  return { whole: whole.hash, items: changed.joined(), gone: Uint8Array.from(gone) };
}

/** The node that the changes make. Its items are in order. @throws {HistoryError} `nodeMalformed` */
export function applyChanges(whole: RadixNode, { items, gone }: Omit<NodeChanges, "whole">): RadixNode {
  const changed = new RadixNode(items);
  const pieces = new Pieces();
  for (let index = 0, at = 0; index < 256; index += 1) {
    const isGone = gone[at] === index;
    if (isGone) at += 1;
    const from = changed.offsetOf(index) >= 0 ? changed : whole;
    const offset = from.offsetOf(index);
    if (offset >= 0 && !(isGone && from === whole)) pieces.add(from.bytes, offset, from.endOf(offset));
  }
  return new RadixNode(pieces.joined());
}

/** The other node's hash, how many items are gone, which, the items that are new or changed. */
export function encodeChanges({ whole, items, gone }: NodeChanges): Uint8Array {
  const bytes = new Uint8Array(hashLength + 1 + gone.length + items.length);
  bytes.set(whole);
  bytes[hashLength] = gone.length;
  bytes.set(gone, hashLength + 1);
  bytes.set(items, hashLength + 1 + gone.length);
  return bytes;
}

/** @throws {HistoryError} `nodeMalformed` */
export function decodeChanges(bytes: Uint8Array): NodeChanges {
  const itemsAt = hashLength + 1 + (bytes[hashLength] ?? 0);
  if (bytes.length < itemsAt)
    throw new HistoryError({ code: "nodeMalformed", offset: bytes.length, detail: "changes are cut off" });
  return {
    whole: bytes.subarray(0, hashLength),
    gone: bytes.subarray(hashLength + 1, itemsAt),
    items: bytes.subarray(itemsAt),
  };
}

function hasSameItem(whole: RadixNode, node: RadixNode, offset: number): boolean {
  const before = whole.offsetOf(node.bytes[offset]!);
  if (before < 0) return false;
  const length = node.endOf(offset) - offset;
  if (whole.endOf(before) - before !== length) return false;
  for (let i = 1; i < length; i += 1) if (whole.bytes[before + i] !== node.bytes[offset + i]) return false;
  return true;
}

/** Stretches of bytes that follow one another; neighbours of one source are one stretch. */
class Pieces {
  length = 0;
  readonly #sources: Uint8Array[] = [];
  readonly #bounds: number[] = [];

  add(source: Uint8Array, start: number, end: number): void {
    this.length += end - start;
    const last = this.#sources.length - 1;
    if (this.#sources[last] === source && this.#bounds[2 * last + 1] === start) {
      this.#bounds[2 * last + 1] = end;
      return;
    }
    this.#sources.push(source);
    this.#bounds.push(start, end);
  }

  joined(): Uint8Array {
    const bytes = new Uint8Array(this.length);
    let offset = 0;
    for (const [at, source] of this.#sources.entries()) {
      const [start, end] = [this.#bounds[2 * at]!, this.#bounds[2 * at + 1]!];
      bytes.set(source.subarray(start, end), offset);
      offset += end - start;
    }
    return bytes;
  }
}

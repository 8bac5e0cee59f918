import { equalBytes } from "@vedette/crypto";
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
 * What makes one node of another.
 *
 * @returns `undefined` where the node's items are not in order, as a node that came from a peer may have them, or where
 *   the changes are longer than a limit
 */
export function changesBetween(
  whole: { readonly hash: Uint8Array; readonly node: RadixNode },
  node: RadixNode,
  limitBytes: number,
): NodeChanges | undefined {
  const parts: Uint8Array[] = [];
  const gone: number[] = [];
  let length = 0;
  let end = 0;
  for (let index = 0; index < 256; index += 1) {
    const [before, now] = [itemBytes(whole.node, index), itemBytes(node, index)];
    if (now !== undefined) {
      if (now.byteOffset - node.bytes.byteOffset !== end) return undefined;
      end += now.length;
    }
    if (now === undefined) {
      if (before !== undefined) gone.push(index);
    } else if (before === undefined || !equalBytes(before, now)) {
      length += now.length;
      if (length > limitBytes) return undefined;
      parts.push(now);
    }
  }
  return { whole: whole.hash, items: joined(parts, length), gone: Uint8Array.from(gone) };
}

/** The node that the changes make. Its items are in order. @throws {HistoryError} `nodeMalformed` */
export function applyChanges(whole: RadixNode, { items, gone }: Omit<NodeChanges, "whole">): RadixNode {
  const changed = new RadixNode(items);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let index = 0, at = 0; index < 256; index += 1) {
    const isGone = gone[at] === index;
    if (isGone) at += 1;
    const item = itemBytes(changed, index) ?? (isGone ? undefined : itemBytes(whole, index));
    if (item === undefined) continue;
    parts.push(item);
    length += item.length;
  }
  return new RadixNode(joined(parts, length));
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

function itemBytes(node: RadixNode, index: number): Uint8Array | undefined {
  const offset = node.offsetOf(index);
  return offset < 0 ? undefined : node.bytes.subarray(offset, node.endOf(offset));
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

import { emptyBytes } from "@vedette/crypto";
import { HistoryError } from "./HistoryError.js";

/** Set in the kind byte of an item that points to a child node. */
const pointerFlag = 0x80;
/** Bytes of a value or pointer. */
export const hashLength = 32;

const headerLength = 2;
const absent = 0xffff;
/** Bytes that a node holds in memory beside its encoding. */
const overheadBytes = 1000;

/**
 * One node of the radix tree: its encoding, and where in it each of the 256 items begins.
 *
 * Read-only and safe to share. Items need not be in order, as rnode does not require it either; none may occur twice.
 *
 * @spec 30 §5.1, §5.2
 */
export class RadixNode {
  readonly bytes: Uint8Array;
  /** Number of items. */
  readonly count: number;
  private readonly offsets: Uint16Array;

  /** @throws {HistoryError} `nodeMalformed` */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.offsets = new Uint16Array(256).fill(absent);
    let count = 0;
    let offset = 0;
    while (offset < bytes.length) {
      const start = offset;
      if (offset + headerLength > bytes.length) throw malformed(start, "item is cut off");
      const index = bytes[offset]!;
      offset += headerLength + (bytes[offset + 1]! & 0x7f) + hashLength;
      if (offset > bytes.length) throw malformed(start, "item is cut off");
      if (this.offsets[index] !== absent) throw malformed(start, "wrong index of item.");
      this.offsets[index] = start;
      count += 1;
    }
    this.count = count;
  }

  /** Bytes of memory, for the caches' books. */
  get memoryBytes(): number {
    return this.bytes.length + overheadBytes;
  }

  /** Where the item with this index begins, or -1. */
  offsetOf(index: number): number {
    const offset = this.offsets[index]!;
    return offset === absent ? -1 : offset;
  }

  isPointerAt(offset: number): boolean {
    return (this.bytes[offset + 1]! & pointerFlag) !== 0;
  }

  prefixLengthAt(offset: number): number {
    return this.bytes[offset + 1]! & 0x7f;
  }

  prefixAt(offset: number): Uint8Array {
    const start = offset + headerLength;
    return this.bytes.subarray(start, start + this.prefixLengthAt(offset));
  }

  /** The leaf's value or the child's hash. */
  targetAt(offset: number): Uint8Array {
    const start = offset + headerLength + this.prefixLengthAt(offset);
    return this.bytes.subarray(start, start + hashLength);
  }

  /** Where the item's encoding ends. */
  endOf(offset: number): number {
    return offset + headerLength + this.prefixLengthAt(offset) + hashLength;
  }

  /** Whether the item's prefix is in `key` at `from`. */
  prefixMatches(offset: number, key: Uint8Array, from: number): boolean {
    const length = this.prefixLengthAt(offset);
    if (from + length > key.length) return false;
    const start = offset + headerLength;
    for (let i = 0; i < length; i += 1) if (this.bytes[start + i] !== key[from + i]) return false;
    return true;
  }
}

/** The tree without any key. Its encoding has no bytes. @spec 30 §5.2 */
export const emptyNode = new RadixNode(emptyBytes);

/** An item outside of a node. @spec 30 §5.1 */
export class RadixItem {
  constructor(
    readonly index: number,
    readonly prefix: Uint8Array,
    readonly target: Uint8Array,
    readonly isPointer: boolean,
  ) {}

  get encodedLength(): number {
    return headerLength + this.prefix.length + hashLength;
  }

  /** Writes the item's encoding and gives back where it ends. */
  write(into: Uint8Array, offset: number): number {
    into[offset] = this.index;
    into[offset + 1] = this.isPointer ? pointerFlag | this.prefix.length : this.prefix.length;
    into.set(this.prefix, offset + headerLength);
    into.set(this.target, offset + headerLength + this.prefix.length);
    return offset + this.encodedLength;
  }

  static from(node: RadixNode, offset: number): RadixItem {
    return new RadixItem(node.bytes[offset]!, node.prefixAt(offset), node.targetAt(offset), node.isPointerAt(offset));
  }
}

function malformed(offset: number, detail: string): HistoryError {
  return new HistoryError({ code: "nodeMalformed", offset, detail });
}

import { blake2b256, compareByLengthThenBytes } from "@vedette/crypto";
import { Datum } from "./Datum.js";
import { decodeVector, encodeItemList, encodeVector } from "./itemList.js";
import { Join } from "./Join.js";
import type { LeafKind } from "./LeafError.js";
import { decodeLeaf, encodeLeaf } from "./leafEncoding.js";
import { WaitingContinuation } from "./WaitingContinuation.js";

/** How much more memory a leaf takes when its items are decoded and used; measured on replayed chains. */
const decodedFactor = 10;
const overheadBytes = 600;
const none: readonly never[] = [];

/** One stored item: its encoding decides its place in the leaf. */
interface Item {
  readonly encoding: Uint8Array;
}

/**
 * A decoded leaf of the state tree: the items of one history key, in list order. Immutable and shared.
 *
 * @spec 30 §4.5, §4.6
 */
export class Leaf {
  readonly memoryBytes: number;

  constructor(
    readonly hash: Uint8Array,
    readonly kind: LeafKind,
    readonly data: readonly Datum[],
    readonly continuations: readonly WaitingContinuation[],
    readonly joins: readonly Join[],
    encodedLength: number,
  ) {
    this.memoryBytes = encodedLength * decodedFactor + overheadBytes;
  }

  /** @throws {LeafError} `corrupted` */
  static decode(hash: Uint8Array, bytes: Uint8Array): Leaf {
    const { kind, list } = decodeLeaf(bytes);
    const items = decodeVector(list);
    const data = kind === "data" ? items.map((item) => Datum.decode(item)) : none;
    const continuations = kind === "continuations" ? items.map((item) => WaitingContinuation.fromBytes(item)) : none;
    const joins = kind === "joins" ? items.map((item) => Join.decode(item)) : none;
    return new Leaf(hash, kind, data, continuations, joins, bytes.length);
  }

  static ofData(items: readonly Datum[]): EncodedLeaf {
    const sorted = sortItems(items);
    const bytes = leafBytes("data", sorted);
    return { bytes, leaf: new Leaf(blake2b256(bytes), "data", sorted, none, none, bytes.length) };
  }

  static ofContinuations(items: readonly WaitingContinuation[]): EncodedLeaf {
    const sorted = sortItems(items);
    const bytes = leafBytes("continuations", sorted);
    return { bytes, leaf: new Leaf(blake2b256(bytes), "continuations", none, sorted, none, bytes.length) };
  }

  static ofJoins(items: readonly Join[]): EncodedLeaf {
    const sorted = sortItems(items);
    const bytes = leafBytes("joins", sorted);
    return { bytes, leaf: new Leaf(blake2b256(bytes), "joins", none, none, sorted, bytes.length) };
  }

  /** The items' encodings, in list order. */
  get encodedItems(): Uint8Array[] {
    const items: readonly Item[] =
      this.kind === "data" ? this.data : this.kind === "joins" ? this.joins : this.continuations;
    return items.map((item) => item.encoding);
  }
}

/** A new leaf and its bytes. @spec 30 §4.5 */
export interface EncodedLeaf {
  readonly leaf: Leaf;
  readonly bytes: Uint8Array;
}

/** The leaf of items that are known by their encodings alone, in any order. @spec 30 §4.4, §4.5 */
export function leafOfEncodings(kind: LeafKind, items: readonly Uint8Array[]): EncodedLeaf {
  const bytes = encodeLeaf(kind, encodeItemList(items));
  return { bytes, leaf: Leaf.decode(blake2b256(bytes), bytes) };
}

function sortItems<Some extends Item>(items: readonly Some[]): Some[] {
  return items.slice().sort((left, right) => compareByLengthThenBytes(left.encoding, right.encoding));
}

function leafBytes(kind: LeafKind, sorted: readonly Item[]): Uint8Array {
  return encodeLeaf(kind, encodeVector(sorted.map((item) => item.encoding)));
}

import { compareUtf8 } from "@vedette/terms";
import { placeOf } from "./placeOf.js";

/** A value with an order among those of its kind; a truth value is 0 or 1. */
export type Ordered = bigint | string;

/** One end of a range. */
export interface RangeEnd {
  readonly value: Ordered;
  /** Whether the range has this value. */
  readonly isIn: boolean;
}

/** The values of one kind from one end to another; left out: there is no end. */
export interface Range {
  readonly low: RangeEnd | undefined;
  readonly high: RangeEnd | undefined;
}

const noPlace = -1;
const fewPlaces = 16;

/**
 * Finds the newest of the ranges of one kind that hold a value.
 *
 * Each node of a binary tree over the items, in the order in which they came, has a range that includes all those below.
 *
 * @cost of a search: the logarithm of the number of items, where all ranges are open at the same end
 */
export class RangeTree {
  /** The numbers of the items, which grow. */
  #numbers: number[] = [];
  /** The root is at 1, the children of `n` at `2n` and `2n + 1`; the items are the last half. */
  #nodes: (Range | undefined)[] = [];
  #places = 0;
  #removed = 0;

  get isEmpty(): boolean {
    return this.#removed === this.#numbers.length;
  }

  push(number: number, range: Range): void {
    if (this.#numbers.length === this.#places) this.#grow();
    this.#numbers.push(number);
    this.#set(this.#numbers.length - 1, range);
  }

  remove(number: number): void {
    this.#set(placeOf(this.#numbers, number), undefined);
    this.#removed += 1;
  }

  /** @returns the greatest number below another one of an item whose range holds a value; -1 where there is none */
  newestBelow(number: number, value: Ordered): number {
    const last = this.#numbers.length - 1;
    if (last < 0) return noPlace;
    const end = number > this.#numbers[last]! ? last + 1 : placeOf(this.#numbers, number);
    const place = this.#lastBelow(value, end, { node: 1, from: 0, count: this.#places });
    return place < 0 ? noPlace : this.#numbers[place]!;
  }

  /** The last place below one, of those under a node. */
  #lastBelow(value: Ordered, end: number, { node, from, count }: Subtree): number {
    if (from >= end || !holds(this.#nodes[node], value)) return noPlace;
    if (count === 1) return from;
    const half = count / 2;
    const right = this.#lastBelow(value, end, { node: 2 * node + 1, from: from + half, count: half });
    return right >= 0 ? right : this.#lastBelow(value, end, { node: 2 * node, from, count: half });
  }

  #set(place: number, range: Range | undefined): void {
    let node = this.#places + place;
    this.#nodes[node] = range;
    for (node >>= 1; node > 0; node >>= 1) this.#nodes[node] = around(this.#nodes[2 * node], this.#nodes[2 * node + 1]);
  }

  /** Makes room for as many items as there are, without those that were removed. */
  #grow(): void {
    const ranges = this.#nodes.slice(this.#places);
    const kept = this.#numbers.flatMap((number, place) => (ranges[place] === undefined ? [] : [{ number, place }]));
    this.#places = fewPlaces;
    while (this.#places < 2 * kept.length) this.#places *= 2;
    this.#numbers = kept.map(({ number }) => number);
    this.#removed = 0;
    this.#nodes = new Array<Range | undefined>(2 * this.#places).fill(undefined);
    for (const [at, { place }] of kept.entries()) this.#nodes[this.#places + at] = ranges[place];
    for (let node = this.#places - 1; node > 0; node -= 1)
      this.#nodes[node] = around(this.#nodes[2 * node], this.#nodes[2 * node + 1]);
  }
}

/** A node of the tree and the places of the items below it. */
interface Subtree {
  readonly node: number;
  readonly from: number;
  readonly count: number;
}

function holds(range: Range | undefined, value: Ordered): boolean {
  return range !== undefined && isWithin(range.low, value, -1) && isWithin(range.high, value, 1);
}

/** Whether a value is on the inner side of an end. @param side below zero of a low end, above zero of a high one */
function isWithin(end: RangeEnd | undefined, value: Ordered, side: number): boolean {
  if (end === undefined) return true;
  const order = compare(end.value, value) * side;
  return order > 0 || (order === 0 && end.isIn);
}

/** The least range that includes two others. */
function around(one: Range | undefined, other: Range | undefined): Range | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const low = outer(one.low, other.low, -1);
  const high = outer(one.high, other.high, 1);
  if (low === one.low && high === one.high) return one;
  return low === other.low && high === other.high ? other : { low, high };
}

function outer(one: RangeEnd | undefined, other: RangeEnd | undefined, side: number): RangeEnd | undefined {
  if (one === undefined || other === undefined) return undefined;
  const order = compare(one.value, other.value) * side;
  return order > 0 || (order === 0 && one.isIn) ? one : other;
}

/** The values that two ranges share. */
export function overlap(one: Range, other: Range): Range {
  return { low: inner(one.low, other.low, -1), high: inner(one.high, other.high, 1) };
}

function inner(one: RangeEnd | undefined, other: RangeEnd | undefined, side: number): RangeEnd | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return outer(one, other, side) === one ? other : one;
}

function compare(one: Ordered, other: Ordered): number {
  if (typeof one === "string" && typeof other === "string") return compareUtf8(one, other);
  return one < other ? -1 : one > other ? 1 : 0;
}

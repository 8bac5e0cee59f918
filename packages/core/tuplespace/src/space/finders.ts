import type { Ordered, Range } from "./RangeTree.js";

/** Something short that can be seen of what lies or waits. */
export type Look = string | number;

/** Finds an item by any value of a range. */
export class RangeLook {
  constructor(
    /** Ranges with one key are compared with values of that key. */
    readonly key: string,
    readonly range: Range,
    /** Each is enough to find the item as well; one that few items show is used instead. */
    readonly looks: readonly Look[],
  ) {}
}

/** The ways to find an item: by a look, by one of several looks, of which one is enough, or by values. */
export type Finder = Look | readonly Look[] | RangeLook;

/** A value that an item is searched by. */
export interface KeyedValue {
  readonly key: string;
  readonly value: Ordered;
}

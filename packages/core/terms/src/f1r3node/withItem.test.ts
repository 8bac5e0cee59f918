import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { f1r3nodeTerms } from "../form/f1r3nodeTerms.js";
import { emptyBitSet } from "../model/BitSet.js";
import { GInt, type KeyValuePair, Par } from "../model/Par.js";
import { countingWork } from "../model/work.js";
import { anyData, anyTerm } from "../testing/anyTerm.js";
import { f1r3nodeElementsWith, f1r3nodeEntriesWith } from "./withItem.js";

const int = (value: number): Par => Par.of({ exprs: [new GInt(BigInt(value))] });
const setOf = (elements: readonly Par[]): readonly Par[] =>
  f1r3nodeTerms.makeSet(elements, emptyBitSet, false, undefined).ps;
const mapOf = (entries: readonly KeyValuePair[]): readonly KeyValuePair[] =>
  f1r3nodeTerms.makeMap(entries, emptyBitSet, false, undefined).kvs;

/** Enough that a list counts as long, and some terms among them that may rank alike. */
const anyElements = fc
  .tuple(fc.array(anyTerm(2), { maxLength: 8 }), fc.integer({ min: 20, max: 40 }))
  .map(([terms, count]) => [...Array.from({ length: count }, (_, at) => int(3 * at)), ...terms]);
const anyAdded = fc.oneof(anyTerm(2), anyData(1), fc.integer({ min: -2, max: 130 }).map(int));

describe("one item more in a collection of the newer node", () => {
  test("an element comes where the whole set would have it", () => {
    fc.assert(
      fc.property(anyElements, fc.array(anyAdded, { minLength: 1, maxLength: 4 }), (elements, added) => {
        let grown = setOf(elements);
        for (const one of added) {
          const expected = setOf([...grown, f1r3nodeTerms.sortPar(one)]);
          grown = f1r3nodeElementsWith(grown, one);
          expect(grown).toEqual(expected);
        }
      }),
    );
  });

  test("an entry comes where the whole map would have it, or gives a key another value", () => {
    fc.assert(
      fc.property(
        anyElements,
        fc.array(fc.tuple(anyAdded, anyData(1)), { minLength: 1, maxLength: 4 }),
        (keys, added) => {
          let grown = mapOf(keys.map((key) => ({ key, value: int(0) })));
          for (const [key, value] of added) {
            const expected = mapOf([...grown, { key, value }]);
            grown = f1r3nodeEntriesWith(grown, { key, value });
            expect(grown).toEqual(expected);
          }
        },
      ),
    );
  });

  test("few are compared", () => {
    let units = 0;
    const meter = { tick: (count: number) => (units += count) };
    let elements = setOf(Array.from({ length: 5_000 }, (_, at) => int(2 * at)));
    let entries = mapOf(elements.map((key) => ({ key, value: key })));
    countingWork(meter, () => {
      for (let at = 0; at < 100; at += 1) {
        elements = f1r3nodeElementsWith(elements, int(2 * at + 1));
        entries = f1r3nodeEntriesWith(entries, { key: int(2 * at + 1), value: int(at) });
      }
    });
    expect([elements.length, entries.length]).toEqual([5_100, 5_100]);
    expect(units).toBe(0);
  });
});

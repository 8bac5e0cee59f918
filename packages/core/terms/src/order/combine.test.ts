import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalPar } from "../identity/equal.js";
import { emptyBitSet } from "../model/BitSet.js";
import { GInt, type KeyValuePair, Par } from "../model/Par.js";
import { countingWork } from "../model/work.js";
import { anyData, anyTerm } from "../testing/anyTerm.js";
import { elementsWithoutOthers, entriesWithoutOthers, unitedElements, unitedEntries } from "./combine.js";
import { type AtomOrder, f1r3nodeAtoms, rnodeAtoms } from "./compareAtoms.js";
import { makeMap } from "./makeMap.js";
import { makeSet } from "./makeSet.js";

const int = (value: number): Par => Par.of({ exprs: [new GInt(BigInt(value))] });
const setOf = (elements: readonly Par[], atoms: AtomOrder): readonly Par[] =>
  makeSet(elements, emptyBitSet, false, undefined, atoms).ps;
const mapOf = (entries: readonly KeyValuePair[], isHashed: boolean, atoms: AtomOrder): readonly KeyValuePair[] =>
  makeMap(entries, emptyBitSet, false, undefined, atoms, isHashed).kvs;

/** Numbers, and some terms that may rank alike. */
const anyElements = fc
  .tuple(fc.array(anyTerm(2), { maxLength: 4 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 5 }))
  .map(([terms, count, step]) => [...Array.from({ length: count }, (_, at) => int(step * at)), ...terms]);
const anyEntries = anyElements.chain((keys) =>
  fc
    .array(anyData(1), { minLength: 1, maxLength: 3 })
    .map((values) => keys.map((key, at): KeyValuePair => ({ key, value: values[at % values.length]! }))),
);
const anyAtoms = fc.constantFrom(rnodeAtoms, f1r3nodeAtoms);

describe("two collections in one", () => {
  test("a union of sets has what the set of all elements has", () => {
    fc.assert(
      fc.property(anyElements, anyElements, anyAtoms, (first, second, atoms) => {
        const [one, other] = [setOf(first, atoms), setOf(second, atoms)];
        expect(unitedElements(one, other, atoms)).toEqual(setOf([...one, ...other], atoms));
      }),
    );
  });

  test("a union of maps has what the map of all entries has", () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, fc.boolean(), anyAtoms, (first, second, isHashed, atoms) => {
        const [one, other] = [mapOf(first, isHashed, atoms), mapOf(second, isHashed, atoms)];
        expect(unitedEntries(one, other, isHashed, atoms)).toEqual(mapOf([...one, ...other], isHashed, atoms));
      }),
    );
  });

  test("a difference lacks what both have, and nothing else", () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, anyAtoms, (first, second, atoms) => {
        const [one, other] = [mapOf(first, false, atoms), mapOf(second, false, atoms)];
        const left = one.filter((entry) => !other.some(({ key }) => equalPar(key, entry.key)));
        expect(entriesWithoutOthers(one, other, atoms) ?? left).toEqual(left);
        const elements = (entries: readonly KeyValuePair[]) => entries.map(({ key }) => key);
        expect(elementsWithoutOthers(elements(one), elements(other), atoms) ?? elements(left)).toEqual(elements(left));
      }),
    );
  });

  test("few are compared, however large the first is", () => {
    const one = setOf(
      Array.from({ length: 5_000 }, (_, at) => int(2 * at)),
      rnodeAtoms,
    );
    const other = [int(7), int(8)];
    let units = 0;
    countingWork({ tick: (count) => (units += count) }, () => {
      expect(unitedElements(one, other, rnodeAtoms)).toHaveLength(5_001);
      expect(elementsWithoutOthers(one, other, rnodeAtoms)).toHaveLength(4_999);
    });
    expect(units).toBeLessThan(1_000);
  });
});

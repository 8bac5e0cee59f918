import { compareBytes, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemColumns } from "./ItemColumns.js";

/** Few different beginnings, so that more than these has to be compared. */
const key = fc
  .tuple(fc.constantFrom(0, 1, 127, 128, 255), fc.uint8Array({ minLength: 31, maxLength: 31 }), fc.boolean())
  .map(([first, rest, isAlike]) => Uint8Array.of(first, ...(isAlike ? [0, 0, 0, ...rest.slice(3)] : rest)));

test("items come in the order of their keys, each with its value", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.uint8Array({ maxLength: 40 })), { maxLength: 200 }), (items) => {
      const columns = new ItemColumns();
      for (const [hash, value] of items) columns.add(hash, value);
      const listed = [...columns.sorted()].map((item) => `${toHex(columns.key(item))} ${toHex(columns.value(item))}`);
      const sorted = items.toSorted(([one], [other]) => compareBytes(one, other));
      expect(listed).toEqual(sorted.map(([hash, value]) => `${toHex(hash)} ${toHex(value)}`));
    }),
  );
});

test("many items find room", () => {
  const columns = new ItemColumns();
  const count = 10_000;
  for (let at = 0; at < count; at += 1) {
    const hash = new Uint8Array(32);
    new DataView(hash.buffer).setUint32(0, (at * 2_654_435_761) >>> 0);
    columns.add(hash, Uint8Array.of(at & 0xff));
  }
  const sorted = columns.sorted();
  expect([columns.size, new Set(sorted).size]).toEqual([count, count]);
  for (let at = 1; at < count; at += 1)
    expect(compareBytes(columns.key(sorted[at - 1]!), columns.key(sorted[at]!))).toBeLessThan(0);
});

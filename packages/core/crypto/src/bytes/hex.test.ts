import fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex, fromHexDigits, fromHexLenient, fromHexPadded, toHex } from "./hex.js";

const anyBytes = fc.uint8Array({ maxLength: 200 });

test("every run of bytes survives its hexadecimal text, in either case", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(fromHex(toHex(bytes))).toEqual(bytes);
      expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
      expect(fromHexPadded(toHex(bytes))).toEqual(bytes);
      expect(fromHexLenient(toHex(bytes))).toEqual(bytes);
    }),
  );
});

test("long runs of bytes, too, are printed as the engine prints them", () => {
  const bytes = Uint8Array.from({ length: 200_003 }, (_, index) => (index * 131) >> 3);
  for (const length of [0, 1, 31, 32, 33, 65, 65_535, 65_536, 65_537, bytes.length])
    expect(toHex(bytes.subarray(0, length)) === Buffer.from(bytes.subarray(0, length)).toString("hex")).toBe(true);
});

test("what is no hexadecimal text is refused with its place", () => {
  expect(() => fromHex("abc")).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: A hexadecimal text needs an even number of digits, not 3]`,
  );
  expect(() => fromHex("00g0")).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: Not a hexadecimal digit at character 2]`,
  );
  expect(() => fromHex("0é")).toThrowErrorMatchingInlineSnapshot(
    `[BytesError: Not a hexadecimal digit at character 1]`,
  );
});

test("rnode's decoders pad an odd text, and the lenient one skips what is no digit", () => {
  expect(fromHexPadded("abc")).toEqual(Uint8Array.of(0x0a, 0xbc));
  for (const text of ["", "a", "abc", "0AbC", "0x12", "ab\u00e9d", "12 4"])
    expect(fromHexDigits(Buffer.from(text)), text).toEqual(fromHexPadded(text));
  expect(fromHexPadded("0x12")).toBeUndefined();
  expect(fromHexLenient("0x12 zz")).toEqual(Uint8Array.of(0x00, 0x12));
  expect(fromHexLenient("-")).toEqual(new Uint8Array());
});

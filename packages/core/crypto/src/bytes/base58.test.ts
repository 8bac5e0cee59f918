import fc from "fast-check";
import { expect, test } from "vitest";
import { isBase58, parseBase58, printBase58 } from "./base58.js";
import { fromHex, toHex } from "./hex.js";

test.each([
  ["", ""],
  ["00", "1"],
  ["0000", "11"],
  ["61", "2g"],
  ["626262", "a3gV"],
  ["73696d706c792061206c6f6e6720737472696e67", "2cFupjhnEsSn59qHXstmK2ffpLv2"],
])("bytes %s are %s", (hex, text) => {
  expect(printBase58(fromHex(hex))).toBe(text);
  expect(toHex(parseBase58(text)!)).toBe(hex);
});

test("rnode's numbers", () => {
  expect(printBase58(Uint8Array.of(58))).toBe("21");
  expect(printBase58(Uint8Array.of(3364 >> 8, 3364 & 0xff))).toBe("211");
});

test("every run of bytes survives, leading zeros included", () => {
  const anyBytes = fc.tuple(fc.nat(5), fc.uint8Array({ maxLength: 50 }));
  fc.assert(
    fc.property(anyBytes, ([zeros, tail]) => {
      const bytes = new Uint8Array([...new Uint8Array(zeros), ...tail]);
      expect(isBase58(printBase58(bytes))).toBe(true);
      expect(parseBase58(printBase58(bytes))).toEqual(bytes);
    }),
  );
});

test.each(["0", "O", "I", "l", "a b", "é", "1\n"])("%j is no Base58", (text) => {
  expect(parseBase58(text)).toBeUndefined();
  expect(isBase58(text)).toBe(false);
});

import { GString } from "@vedette/terms";
import { anyCharacter } from "@vedette/terms/testing";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Panic } from "../Panic.js";
import { byteLength, sliceOfBytes } from "./textBytes.js";

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\ud800") }),
);

test("a slice has the bytes between its bounds, or panics where one is inside a character", () => {
  const places = fc.tuple(fc.nat(60), fc.nat(60));
  fc.assert(
    fc.property(anyText, places, (text, [one, other]) => {
      const bytes = Buffer.from(text, "utf8");
      const [start, end] = [one, other].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b) as [
        number,
        number,
      ];
      const isInside = (place: number): boolean => place < bytes.length && (bytes[place]! & 0xc0) === 0x80;
      if (isInside(start) || isInside(end)) expect(() => sliceOfBytes(text, start, end)).toThrow(Panic);
      else expect(sliceOfBytes(text, start, end)).toBe(bytes.subarray(start, end).toString("utf8"));
    }),
  );
});

test.each([
  [1, 4, "end byte index 4 is not a char boundary; it is inside '漢' (bytes 3..6 of string)"],
  [2, 3, "start byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3 of string)"],
  [7, 9, "start byte index 7 is not a char boundary; it is inside '\\u{301}' (bytes 6..8 of string)"],
])("a slice from byte %i to %i names the character that it would cut", (start, end, reason) => {
  expect(() => sliceOfBytes("aé漢\u0301b", start, end)).toThrow(reason);
});

test("the bytes of a text are counted once", () => {
  const text = new GString("é".repeat(100));
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  expect([byteLength(text), byteLength(text), byteLength(new GString("é"))]).toEqual([200, 200, 2]);
  expect(encode).toHaveBeenCalledTimes(2);
  encode.mockRestore();
});

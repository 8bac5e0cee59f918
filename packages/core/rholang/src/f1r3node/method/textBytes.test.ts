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

test("the bytes of a text are counted once", () => {
  const text = new GString("é".repeat(100));
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  expect([byteLength(text), byteLength(text), byteLength(new GString("é"))]).toEqual([200, 200, 2]);
  expect(encode).toHaveBeenCalledTimes(2);
  encode.mockRestore();
});

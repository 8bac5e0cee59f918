import fc from "fast-check";
import { expect, test } from "vitest";
import { compareByLengthThenBytes, compareBytes, equalBytes } from "./compare.js";
import { concatBytes } from "./concat.js";
import { toHex } from "./hex.js";

const anyBytes = fc.uint8Array({ maxLength: 6 });

test("bytes are ordered as their hexadecimal texts are", () => {
  fc.assert(
    fc.property(anyBytes, anyBytes, (a, b) => {
      const [textA, textB] = [toHex(a), toHex(b)];
      expect(Math.sign(compareBytes(a, b))).toBe(textA < textB ? -1 : textA > textB ? 1 : 0);
      expect(equalBytes(a, b)).toBe(textA === textB);
      const byLength = a.length === b.length ? Math.sign(compareBytes(a, b)) : Math.sign(a.length - b.length);
      expect(Math.sign(compareByLengthThenBytes(a, b))).toBe(byLength);
    }),
  );
});

test("joined bytes are a new run", () => {
  const part = Uint8Array.of(1, 2);
  const whole = concatBytes(part, new Uint8Array(), Uint8Array.of(3));
  part[0] = 9;
  expect(whole).toEqual(Uint8Array.of(1, 2, 3));
});

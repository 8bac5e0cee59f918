import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeString } from "./literal.js";

const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t" } as const;
const literalOf = (text: string) =>
  `"${[...text].map((letter) => escapes[letter as keyof typeof escapes] ?? letter).join("")}"`;

test("a text comes back from its literal, also in pieces and with halves of a surrogate pair between two", () => {
  const letters = fc.constantFrom("a", "é", "😀", '"', "\\", "\n", "\t");
  fc.assert(
    fc.property(fc.string({ unit: letters }), (text) => {
      expect(decodeString(literalOf(text))).toBe(text);
    }),
  );
  for (const length of [8_190, 8_191, 8_192, 8_193, 20_000]) {
    const text = `\n${"x".repeat(length - 2)}😀"`;
    expect(decodeString(literalOf(text))).toBe(text);
  }
  expect(decodeString(literalOf('"'.repeat(1_000_000)))).toHaveLength(1_000_000);
});

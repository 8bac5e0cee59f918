import fc from "fast-check";
import { expect, test } from "vitest";
import { appendFloatWidths, placesWithoutWidths } from "./appendFloatWidths.js";

test.each([
  ["1.5", "1.5f64"],
  ["1.", "1.f64"],
  [".5e-3", ".5e-3f64"],
  ["2E+10 | 2e", "2E+10f64 | 2e"],
  ["1.5f32 1.5p2 1.foo()", "1.5f32 1.5p2 1.foo()"],
  ["x1.5 _1.5 1x.5", "x1.5f64 _1.5f64 1x.5f64"],
  ["[1, 2...x]", "[1, 2.f64..x]"],
  ['"1.5" `1.5` // 1.5\n1.5 /* 1.5 */', '"1.5" `1.5` // 1.5\n1.5f64 /* 1.5 */'],
  ['"\\"1.5" 1.5', '"\\"1.5" 1.5f64'],
  ['"1.5', '"1.5f64'],
  ['"\\\n"1.5', '"\\\n"1.5f64'],
  ["`1.5 /* 1.5", "`1.5f64 /* 1.5f64"],
])("%j becomes %j", (source, expected) => {
  expect(appendFloatWidths(source)).toBe(expected);
});

/** The same as one expression, which takes a time that grows with the square of hostile texts. */
const plainly =
  /"(?:[^"\\]|\\[^\n])*"|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|((?:\b\d+\.\d*(?:[eE][+-]?\d+)?|\b\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?))([a-zA-Z0-9_]*)/g;

test("does what the plain rule does", () => {
  const pieces = fc.constantFrom(
    "1",
    "2",
    ".",
    "e",
    "E",
    "+",
    "-",
    "x",
    "_",
    '"',
    "\\",
    "`",
    "/",
    "*",
    "\n",
    " ",
    "f64",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), (list) => {
      const source = list.join("");
      const expected = source.replaceAll(plainly, (whole, float?: string, suffix?: string) =>
        float === undefined ? whole : `${float}${suffix === "" ? "f64" : suffix}`,
      );
      expect(appendFloatWidths(source)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test("places of the text with widths are found in the text itself", () => {
  const source = 'x!(1.5) | "1.5" | y!(.5, z)';
  const written = appendFloatWidths(source);
  for (const sign of ["x", "|", '"', "y", "z"])
    expect(placesWithoutWidths(source)(written.lastIndexOf(sign))).toBe(source.lastIndexOf(sign));
  expect(placesWithoutWidths(source)(written.length)).toBe(source.length);
  expect(placesWithoutWidths("x!(1)")(3)).toBe(3);
});

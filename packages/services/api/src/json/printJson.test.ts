import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonFloat, printFloat, printJson } from "./printJson.js";

test("floats are printed as rnode prints them", () => {
  const texts = [1, 1 / 3, 2 / 3, 0.0001, 12345678, 0, -1, 0.001, 9999999, 123.5].map(printFloat);
  expect(texts).toEqual([
    "1.0",
    "0.33333334",
    "0.6666667",
    "1.0E-4",
    "1.2345678E7",
    "0.0",
    "-1.0",
    "0.001",
    "9999999.0",
    "123.5",
  ]);
});

test("a float's text reads back to the same 32-bit value", () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.fround(Number(printFloat(value)))).toBe(Math.fround(value));
    }),
  );
});

test("64-bit integers keep every digit and keys their order", () => {
  expect(printJson({ b: 9223372036854775807n, a: [new JsonFloat(1), null, "x\n", true, 3] })).toBe(
    '{"b":9223372036854775807,"a":[1.0,null,"x\\n",true,3]}',
  );
});

test("a member that is undefined is left out", () => {
  expect(printJson({ one: undefined, two: [{ three: undefined }], four: null })).toBe('{"two":[{}],"four":null}');
});

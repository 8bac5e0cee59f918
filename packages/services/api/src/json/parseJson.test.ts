import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonInput, JsonNumber, parseJson } from "./parseJson.js";
import { printIndented } from "./printIndented.js";

describe("reading JSON", () => {
  test("gives the results of the language's own reader", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(parseJson(text)!)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("takes nothing that the language's own reader refuses", () => {
    const signs = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "\\",
      "1",
      "-",
      ".5",
      "e9",
      "true",
      "nul",
      " ",
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect([text, parseJson(text) !== undefined]).toEqual([text, isJson]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps every digit", () => {
    expect(parseJson('{"a":9223372036854775807}')).toEqual(new Map([["a", new JsonNumber("9223372036854775807")]]));
  });

  test("refuses what is nested without end", () => {
    expect(parseJson("[".repeat(1_000_000))).toBeUndefined();
    expect(parseJson(`${"[".repeat(300)}${"]".repeat(300)}`)).toBeUndefined();
  });
});

describe("JSON in errors", () => {
  test("is indented as rnode does it", () => {
    const shown = (text: string) => printIndented(parseJson(text)!, 1_000);
    expect(shown("{}")).toBe("{\n  \n}");
    expect(shown("[]")).toBe("[\n]");
    expect(shown('{"a":[],"b":{},"c":[1,"x"]}')).toBe(
      '{\n  "a" : [\n  ],\n  "b" : {\n    \n  },\n  "c" : [\n    1,\n    "x"\n  ]\n}',
    );
  });

  test("ends soon, however long the body is", () => {
    const long = parseJson(`[${"[1,2],".repeat(100_000)}"${"x".repeat(1_000_000)}"]`)!;
    expect(printIndented(long, 250).length).toBeLessThan(600);
  });
});

function plain(value: JsonInput): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

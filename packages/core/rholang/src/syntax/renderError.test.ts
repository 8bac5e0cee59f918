import { expect, test } from "vitest";
import { compile } from "../compile.js";
import { InterpreterError } from "../InterpreterError.js";
import { renderError } from "./renderError.js";

function rendered(source: string): string {
  try {
    compile(source);
  } catch (error) {
    if (error instanceof InterpreterError) return `\n${renderError(source, error)}\n`;
    throw error;
  }
  throw new TypeError("the program compiles");
}

test("a syntax error is marked in its line, over the whole token", () => {
  expect(rendered("new x in {\n\tx!(1) |\n\tlet in { Nil }\n}")).toBe(`
syntax error(): in at 3:6-3:8
  --> 3:6
  |
3 |  let in { Nil }
  |      ^^
`);
});

test("an error at the end of the text is marked behind it", () => {
  expect(rendered("x!(1")).toBe(`
syntax error(EOF):  at 1:5-1:5
  --> 1:5
  |
1 | x!(1
  |     ^
`);
});

test("of a long line the part around the error is shown", () => {
  const source = `${"Nil | ".repeat(40)}# ${"| Nil ".repeat(40)}`;
  expect(rendered(source)).toMatchInlineSnapshot(`
    "
    Illegal Character <#> at 1:241(240)
      --> 1:241
      |
    1 | …| Nil | Nil | Nil | Nil | Nil | Nil | Nil | Nil | # | Nil | Nil | Nil | Nil | Nil | Nil | Nil | Nil …
      |                                                    ^
    "
  `);
});

test("an error of the normalizer is marked, too", () => {
  expect(rendered("for (@count <- @0) { count!(1) }")).toBe(`
Proc variable: count at 1:7 used in Name context at 1:22
  --> 1:22
  |
1 | for (@count <- @0) { count!(1) }
  |                      ^^^^^
`);
});

test("what has no place in the text is reported without one", () => {
  expect(rendered("_!(1)")).toBe("\nTop level wildcards are not allowed: _ (wildcard) at -1:-1.\n");
});

import { expect, test } from "vitest";
import { f1r3nodeLanguage, rnodeLanguage } from "../Language.js";
import { formatSource } from "./formatSource.js";

test("a program is laid out by its structure", () => {
  expect(formatSource("new   x in{x!(1)|for(@y<-x){Nil}}", rnodeLanguage)).toBe(
    "new x in { x!(1) | for (@y <- x) { Nil } }\n",
  );
});

test("braces that the text breaks stay broken", () => {
  expect(formatSource("new x in {\nx!(1)|x!(2) }", rnodeLanguage)).toBe("new x in {\n  x!(1) | x!(2)\n}\n");
});

test("a program of f1r3node is laid out by its own grammar", () => {
  const laidOut = (source: string) => formatSource(source, f1r3nodeLanguage);
  expect(laidOut("for(@x<-c where x>1.5){d!m(-1,- 1,()).|{|1|}.f()}")).toBe(
    "for (@x <- c where x > 1.5) { d!m(-1, - 1, ()). | {|1|}.f() }\n",
  );
  expect(laidOut("match 1 { x   where x>0=>@0!(=*y) _=>let a=1 in{Nil} }")).toBe(
    "match 1 { x where x > 0 => @0!(=*y) _ => let a = 1 in { Nil } }\n",
  );
  // The expansion of an agent differs from its text.
  const agent = "agent a  { constructor( ) { Nil } | method m()  { Nil } | default() { Nil } }";
  expect(laidOut(`Nil|${agent}`)).toBe(`Nil | ${agent}\n`);
  expect(() => laidOut("(1 + 2 // three")).toThrow("The closing parenthesis is missing at 1:7; add it.");
  expect(() => laidOut("select { x <- y => Nil }")).toThrow("Parse failed");
});

test("a program that only the newer grammar knows is refused as such", () => {
  const refusal = /^What only f1r3node's grammar knows is in this program/;
  expect(() => formatSource("match 1 { x where x > 0 => @0!(1) }", rnodeLanguage)).toThrow(refusal);
  expect(() => formatSource("@0!(1.5)", rnodeLanguage)).toThrow(refusal);
  expect(() => formatSource("match 1 { x where", rnodeLanguage)).not.toThrow(refusal);
  // Line ends of another kind are what is to be mended there.
  expect(() => formatSource("/* a\r\n b */ Nil\r\n", rnodeLanguage)).not.toThrow(refusal);
});

test("what is too long is broken at the outermost place", () => {
  const long = `a`.repeat(40);
  expect(formatSource(`@0!("${long}", "${long}", ["${long}"])`, rnodeLanguage)).toBe(
    `@0!(\n  "${long}",\n  "${long}",\n  ["${long}"]\n)\n`,
  );
});

test("comments stay where they were, before a sign that parts they go behind it", () => {
  const source = "// head\n\nnew x in { // why\n // own\n x!(1) // first\n | x!(2) /* second */\n // last\n}\n//end";
  expect(formatSource(source, rnodeLanguage)).toBe(
    "// head\n\nnew x in { // why\n  // own\n  x!(1) | // first\n  x!(2) /* second */\n  // last\n}\n//end\n",
  );
});

test("signs that would be read as one stay apart", () => {
  expect(formatSource("@0!(- - 1, [1, ], Set(1, ), (2,))", rnodeLanguage)).toBe("@0!(- -1, [1,], Set(1, ), (2,))\n");
});

test("Windows line ends become LF, but for those within a text", () => {
  expect(formatSource('@0!("a\r\nb") |\r\n@1!(1)\r\n', rnodeLanguage)).toBe('@0!(\n  "a\r\nb"\n) |\n@1!(1)\n');
});

test("a text ends with one line break", () => {
  expect([formatSource("Nil", rnodeLanguage), formatSource("Nil // x\n\n\n", rnodeLanguage)]).toEqual([
    "Nil\n",
    "Nil // x\n",
  ]);
});

test("four thousand processes side by side are a list, and as many operators a chain", () => {
  const parts = Array.from({ length: 4_000 }, () => "@0!()").join("|");
  expect(formatSource(parts, rnodeLanguage).split("\n").length).toBe(4_001);
  const sum = Array.from({ length: 4_000 }, () => "1").join("+");
  expect(formatSource(sum, rnodeLanguage).split("\n").length).toBe(4_001);
});

test("a constant number of columns is the most that a line is moved to the right", () => {
  const deep = `${"{".repeat(300)}@0!()|@1!()${"}".repeat(300)}`;
  expect(
    Math.max(
      ...formatSource(deep, rnodeLanguage)
        .split("\n")
        .map(({ length }) => length),
    ),
  ).toBeLessThan(100);
});

test("what is no program is refused with its place", () => {
  expect(() => formatSource("new x {", rnodeLanguage)).toThrow("syntax error(): { at 1:7-1:8");
});

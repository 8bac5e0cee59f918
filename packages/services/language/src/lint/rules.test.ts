import { describe, expect, test } from "vitest";
import { f1r3nodeLanguage, rnodeLanguage } from "../Language.js";
import { checkProgram } from "./lintSource.js";
import { rules } from "./rules.js";

const rulesIn = (source: string, language = rnodeLanguage) =>
  checkProgram(source, language).diagnostics.map(({ rule }) => rule);
const messages = (source: string) =>
  checkProgram(source, rnodeLanguage).diagnostics.map(
    ({ rule, message, span }) => `${rule} ${source.slice(span.start, span.end)}: ${message}`,
  );

describe("a rule finds something in its bad example and nothing in its good one", () => {
  test.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, { bad, good }) => {
    expect(rulesIn(bad)).toContain(id);
    expect(new Set(rulesIn(bad))).toEqual(new Set([id]));
    expect(rulesIn(good)).toEqual([]);
    // The newer grammar reads them, too.
    expect(new Set(rulesIn(bad, f1r3nodeLanguage))).toEqual(new Set([id]));
    expect(rulesIn(good, f1r3nodeLanguage)).toEqual([]);
  });
});

test("no two rules have one id", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

test("names are followed through receipts, patterns, cases and let", () => {
  expect(
    messages(
      "new a, b in { a!(b) | for (x, @[y, ...z] <- a; @{w /\\ Int} <- x) { match y { {=w} => @z!(1) q => b!(q) } } }",
    ),
  ).toEqual(["UnexpectedProcContext b: Name variable: b at 1:8 used in process context at 1:18"]);
  expect(
    messages(
      "new a in { a!(1) | for (x, @[y, ...z] <- a; @{w /\\ Int} <- x) { match y { {=w} => @z!(1) q => a!(q) } } }",
    ),
  ).toEqual([]);
  expect(messages("let @x <- 1; @y <- x in { @y!(Nil) } | let @x <- 1 & @y <- 2 in { @y!(x) }")).toEqual([]);
});

test("a peek and patterns that differ are no race, two contracts of one form are", () => {
  expect(messages("new c in { for (@1 <- c) { Nil } | for (@2 <- c) { Nil } | for (_ <<- c) { Nil } }")).toEqual([]);
  expect(messages('new c in { contract c(@"a", x) = { x!(1) } | contract c(@"b", x) = { x!(1) } }')).toEqual([]);
  expect(messages("new c in { contract c(@[]) = { Nil } | contract c(@[x ...y]) = { @x!(y) } }")).toEqual([]);
  expect(messages("new c in { contract c(x) = { x!(1) } | contract c(@y, ...@z) = { @y!(z) } }")).toEqual([
    "race c: a message on c may go here or to 1:21",
  ]);
});

test("what a message brings is known where no other process can send", () => {
  expect(messages("new c, k in { c!(bundle+{*k}) | for (x <- c) { for (_ <- x) { Nil } } }")).toEqual([
    "bundle-misuse x: this channel may only be written to: it is a bundle+",
  ]);
  expect(messages("new c, k in { c!(bundle+{*k}) | @0!(*c) | for (x <- c) { for (_ <- x) { Nil } } }")).toEqual([]);
  expect(messages("new out(`rho:io:stdout`) in { for (@x <- out) { out!(x) } }")).toEqual([
    "bundle-misuse out: this channel may only be written to: rho:io:stdout belongs to the system",
  ]);
  expect(messages("new k in { let x <- bundle-{*k} in { x!(1) } }")).toEqual([
    "bundle-misuse x: this channel may only be read: it is a bundle-",
  ]);
});

test("cases are compared with the matched value, as far as the text shows it", () => {
  expect(
    messages('match (1, "a") { (1, Int) => Nil [1, _] => Nil (2, _) => Nil (_, _, _) => Nil (x, y) => @x!(y) }'),
  ).toEqual([
    "match-never (1, Int): this case never matches what is matched",
    "match-never [1, _]: this case never matches what is matched",
    "match-never (2, _): this case never matches what is matched",
    "match-never (_, _, _): this case never matches what is matched",
  ]);
});

test("comments switch rules off, for a line or a file", () => {
  expect(rulesIn("new a, b in { // lint: allow unused-name\n Nil }")).toEqual([]);
  expect(rulesIn("// lint: allow unused-name because\nnew a in { Nil }")).toEqual([]);
  expect(rulesIn("// lint: allow race\nnew a in { Nil }")).toEqual(["unused-name"]);
  expect(rulesIn("new a in {\n// lint: allow-in-file unused-name, race\n Nil }")).toEqual([]);
});

test("a program that does not compile has its error among the remarks, one that cannot be parsed nothing else", () => {
  expect(rulesIn("new a in { x }")).toEqual(["unused-name", "TopLevelFreeVariablesNotAllowedError"]);
  expect(messages("new a in {")).toEqual(["SyntaxError : syntax error(EOF):  at 1:11-1:11"]);
});

test("a chain of a thousand operators is looked at without running out of stack", () => {
  expect(rulesIn(`@0!(${Array.from({ length: 1_000 }, () => "1").join(" + ")})`)).toEqual([]);
});

describe("by f1r3node's grammar", () => {
  const remarks = (source: string) =>
    checkProgram(source, f1r3nodeLanguage).diagnostics.map(
      ({ severity, rule, message, span }) => `${severity} ${rule} at ${span.start}-${span.end}: ${message}`,
    );

  test("what it alone knows is no error, and what it refuses is one at its place", () => {
    expect(remarks("match 1 { x where x > 0 => @0!(1.5) }")).toEqual([]);
    expect(remarks("new a in { if (true) { a!(1) } else { a!?(2); Nil } }")).toEqual([]);
    expect(remarks("@0!(1.5) | @1!(2.5, x)")).toEqual([
      expect.stringMatching(/^error TopLevelFreeVariablesNotAllowedError at 20-21: Top level free variables/),
    ]);
    expect(remarks("new a in { a!(1")).toEqual([expect.stringMatching(/^error ParserError at 15-15: Parser error/)]);
  });

  test("a missing parenthesis is an error with the text to add, wherever the text ends", () => {
    for (const [source, end] of [
      ["(1 + 2", 6],
      ["  ((1) // c\n", 6],
      ["(1.5 ", 4],
    ] as const) {
      const span = { start: end - 1, end };
      expect(checkProgram(source, f1r3nodeLanguage).diagnostics).toMatchObject([
        { severity: "error", rule: "unclosed", span, fix: { span: { start: end, end }, text: ")" } },
      ]);
    }
    for (const source of ["((1", "(1, 2", "@0!((1)", "[1"])
      expect(checkProgram(source, f1r3nodeLanguage).diagnostics).toMatchObject([{ rule: "ParserError" }]);
  });

  test("rules look at what it alone reads: guards, numbers, method sends, path maps", () => {
    expect(remarks("new a, b in { a!(1.5) | for (@x, y <- a where x > 1) { @0!({|x, 2.5.foo()|}) } }")).toEqual([
      "warning unused-name at 7-8: b is never used",
      "warning unused-name at 33-34: y is never used",
      "warning unknown-method at 68-71: no type has a method foo",
    ]);
    expect(remarks("match 1.5 { x where x > 0 => @0!(1) y => @1!(y) _ => Nil }")).toEqual([
      "warning match-never at 48-49: this case is never reached: that of 1:37 takes everything",
    ]);
    const receives = (guards: readonly [string, string]) =>
      `new c in { c!m(1). | for (@x <- c${guards[0]}) { @0!(x) } | for (@y <- c${guards[1]}) { @1!(y) } }`;
    expect(remarks(receives(["", ""]))).toEqual([expect.stringContaining("warning race at 59-60: ")]);
    expect(remarks(receives([" where x > 1", " where y <= 1"]))).toEqual([]);
    expect(remarks("new x(`rho:system:deployerId`) in { let y = 1; z = *x in @y!(2) }")).toEqual([
      "warning unused-name at 47-48: z is never used",
    ]);
  });

  test("only an agent's own text is checked, not its expansion", () => {
    const agent = "agent a { constructor(c) { c!(*b) } | method m(@d) { return!(*this) } | default(e) { Nil } }";
    expect(remarks(`new b, unused, a in { ${agent} }`)).toEqual([
      "warning unused-name at 7-13: unused is never used",
      "warning unused-name at 70-71: d is never used",
    ]);
  });

  test("rules look at what both grammars read, with its methods and channels", () => {
    expect(remarks("new v(`rho:vault:address`), a in { v!(1, a.readZipper()) }")).toEqual([
      expect.stringContaining("UnexpectedProcContext"),
    ]);
    expect(remarks("new v(`rho:asi:address`), a in { v!(1, [1].first(), [2].childCount()) }")).toEqual([
      "warning unknown-channel at 4-5: there is no channel rho:asi:address",
      "warning unused-name at 26-27: a is never used",
      "warning unknown-method at 43-48: no type has a method first",
    ]);
  });
});

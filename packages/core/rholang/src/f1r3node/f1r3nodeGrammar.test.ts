import { toHex } from "@vedette/crypto";
import { f1r3nodeTerms, GInt, Par, TermLimitError } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { InterpreterError } from "../InterpreterError.js";
import { f1r3nodeGrammar } from "./f1r3nodeGrammar.js";

function bytesOf(source: string): string {
  return toHex(f1r3nodeTerms.encodePar(f1r3nodeGrammar.compile(source)));
}

function refusal(source: string): string {
  try {
    return `compiles to ${bytesOf(source)}`;
  } catch (error) {
    if (error instanceof InterpreterError) return `${error.failure.class}: ${error.message}`;
    throw error;
  }
}

describe("what f1r3node's grammar reads otherwise", () => {
  test.each([
    ["an operand is any process", "1 + new x in 2 | 3", "{1 + {new x in {2}}} | 3"],
    ["what ends a statement takes what binds tighter", "new x in 1 or 2 | 3", "{new x in {1 or 2}} | 3"],
    ["`matches` leans to the right", "1 matches 2 == 3", "1 matches {2 == 3}"],
    ["a quote takes all that cannot follow the name", "@1 + 2 | 3!(4)", "@{1 + 2 | 3}!(4)"],
    ["the evaluation of a quote takes what binds tighter", "0 matches *@1 /\\ 2 + 3", "0 matches {{1 /\\ 2} + 3}"],
    ["an arrow ends a quote", "for (@1 + x <= @0) { Nil }", "for (@{1 + x} <= @0) { Nil }"],
    ["but not what binds looser within it", "for (@1 or x <= 2 <- @0) { Nil }", "for (@{1 or {x <= 2}} <- @0) { Nil }"],
    ["an arrow is one token in a bind alone", "@0!(1<-1)", "@0!(1 < {-1})"],
    ["a minus before digits is theirs, where an operand is allowed", "@0!(3 - -1)", "@0!(3 -{-1})"],
    ["within brackets it is an operator", "@0!([3 -1])", "@0!([3 - {1}])"],
    ["behind the body of a case it begins the next", "match 1 { 2 => 3 -4 => 5 }", "match 1 { 2 => 3 {-4} => 5 }"],
    ["parentheses of an expression are a grouping", "@0!((1 + 2))", "@0!(1 + 2)"],
    ["those of anything else a tuple", "@0!((@1!(2) | 3))", "@0!(({@1!(2) | 3},))"],
    ["an unclosed comment is a division", "new unclosed in 8 /* unclosed", "new unclosed in 8 / *unclosed"],
    ["an else belongs to the nearest if", "if (true) if (false) 1 else 2", "if (true) {if (false) {1} else {2}}"],
    ["what is left over of no entries is lost", "match 1 { {...x} => 2 }", "match 1 { {} => 2 }"],
    ["a let has one value", "let @x <- 1, 2 in x", "match [1] { [x] => x }"],
    ["a remainder alone becomes a wildcard", "let ...@x <- 1 in 2", "match [1] { [_] => 2 }"],
    ["x = P binds a process", "let x = 1; y = 2 in x + y", "let @x <- 1 in {let @y <- 2 in {x + y}}"],
    ["a method's call has its name behind the reply", "new a in a!m(1); 2", 'new a in a!?("m", 1); 2'],
    ["as a source, too", "new a in for (x <- a!m(1)) { 2 }", 'new a in { for (x <- a!?("m", 1)) { 2 } }'],
    [
      "keywords are names where no process is expected",
      "new Nil, Set, agent in @*Set!(*Nil, *agent)",
      "new a, b, c in b!(*a, *c)",
    ],
    ["a float has 64 bits", "@0!(1.5, .5, 2e3, 1.)", "@0!(1.5f64, 0.5f64, 2000f64, 1f64)"],
    ["a wide integer that fits is a plain one", "@0!(300i8, 300u64, -5i16)", "@0!(300, 300, -5)"],
    ["decimal places are cut off or filled up", "@0!(1.239p2, -5p1)", "@0!(1.23p2, -5.0p1)"],
  ])("%s", (_, source, meaning) => {
    expect(bytesOf(source)).toBe(bytesOf(meaning));
  });

  test.each([
    ["agent a { default() { Nil } }", "ParserError: Parser error: Parse failed: an agent has no constructor at 1:1"],
    [
      "new x in select { y <- x => Nil }",
      "ParserError: Parser error: Parse failed: f1r3node compiles no select at 1:10",
    ],
    ["", "ParserError: Parser error: Expected single process, got 0"],
    ["1 2", "ParserError: Parser error: Parse failed: unexpected '2' at 1:3"],
    ["1 -2", "ParserError: Parser error: Parse failed: unexpected '-' at 1:3"],
    ["@0!(", "ParserError: Parser error: Parse failed: unexpected the end of the text at 1:5"],
    ["'é", "ParserError: Parser error: Parse failed: unexpected ''' at 1:1"],
    ["@0!(5i7)", "ParserError: Parser error: Parse failed: a number is out of range at 1:5"],
    ["for (x <- @0) {}", "ParserError: Parser error: Parse failed: unexpected '}' at 1:16"],
    [
      "@0!(99999999999999999999i128)",
      "NormalizerError: Normalizer error: Invalid signed integer literal: 99999999999999999999",
    ],
    ["()", "BugFoundError: Bug found: Expected a ground type in new AST, found unsupported variant"],
  ])("%s is refused", (source, expected) => {
    expect(refusal(source)).toBe(expected);
  });

  test("NUL is in no token, in no string either", () => {
    expect(refusal('@0!("\0")')).toBe("ParserError: Parser error: Parse failed: unexpected NUL at 1:6");
  });

  test("every operator takes in what was collected before it", () => {
    const par = f1r3nodeGrammar.compile("@0!(1) | 5 + 3");
    const [sum] = par.exprs;
    expect(par.sends).toHaveLength(1);
    expect(sum).toMatchObject({ operator: "EPlus", p1: { sends: [{}], exprs: [new GInt(5n)] }, p2: { sends: [] } });
  });

  test("every new carries the environment by ascending key", () => {
    const environment = new Map([
      ["b", Par.of({ exprs: [new GInt(2n)] })],
      ["a", Par.of({ exprs: [new GInt(1n)] })],
    ]);
    const [fresh] = f1r3nodeGrammar.compile("new x in Nil", environment).news;
    expect([...fresh!.injections.keys()]).toEqual(["a", "b"]);
  });
});

describe("hostile programs", () => {
  const many = 20_000;
  test.each([
    ["parentheses", "(".repeat(many)],
    ["quotes", `${"@".repeat(many)}1`],
    ["blocks", "{".repeat(many)],
    ["negations", "~".repeat(many)],
    ["news", "new x in ".repeat(many)],
  ])("that nest %s are refused with a reason", (_, source) => {
    expect(refusal(source)).toMatch(/^NestedTooDeeply: |^ParserError: /);
  });

  test("chains and parallel parts take no stack", () => {
    expect(f1r3nodeGrammar.compile(Array.from({ length: 50_000 }, () => "1").join("|")).exprs).toHaveLength(50_000);
    expect(refusal(`${"1 + ".repeat(100_000)} |`)).toMatch(/^ParserError: /);
  });

  test("that double with every part are refused before they fill the memory", () => {
    const source = Array.from({ length: 200 }, () => "1 + 1").join("|");
    expect(() => f1r3nodeGrammar.compile(source)).toThrow(TermLimitError);
  });

  test("numbers have a length", () => {
    expect(refusal("1p4000000000")).toMatch(/^ParserError: /);
    expect(() => f1r3nodeGrammar.compile(`1.${"1".repeat(1_000_000)}p1000000`)).toThrow(TermLimitError);
    expect(() => f1r3nodeGrammar.compile(`${"9".repeat(1_000_001)}n`)).toThrow(TermLimitError);
    expect(refusal(`1i${"9".repeat(100_000)}`)).toMatch(/^ParserError: /);
    expect(refusal("9".repeat(100_000))).toMatch(/^ParserError: /);
  });

  test.each([
    ["strings that never end", `1.5 ${'"\\'.repeat(1_000_000)}`],
    ["comments that never end", `1.5 ${"/*".repeat(1_000_000)}`],
    ["digits", `1.5 ${"1".repeat(2_000_000)}`],
  ])("are read once: %s", (_, source) => {
    // Reading anew from each character would take hours.
    expect(refusal(source)).toMatch(/^ParserError: /);
  });

  test("more tokens than allowed are too many", () => {
    expect(() => f1r3nodeGrammar.compile("[1, 2, 3]", undefined, 4)).toThrow("more than 4 tokens");
  });
});

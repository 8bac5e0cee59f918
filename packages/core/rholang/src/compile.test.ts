import { toHex } from "@vedette/crypto";
import { encodePar, GInt, Par, printPar } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { InterpreterError } from "./InterpreterError.js";

function bytes(source: string): string {
  return toHex(encodePar(compile(source)));
}

function outcome(source: string): string {
  try {
    return printPar(compile(source));
  } catch (error) {
    if (error instanceof InterpreterError) return `${error.failure.class}: ${error.message}`;
    throw error;
  }
}

describe("sugar has the meaning that chapter 20 §4 defines", () => {
  test.each([
    [
      "new x in { x!?(1); x!?(2). }",
      "new x in { new r in { x!(*r, 1) | for(_ <- r) { new s in { x!(*s, 2) | for(_ <- s) { Nil } } } } }",
    ],
    [
      "@3!?(3). | @1!?(1); @2!?(2).",
      "new x in {@3!(*x,3) | for(_ <- x){Nil}} | new x in {@1!(*x,1) | for(_ <- x){ new y in {@2!(*y,2) | for(_ <- y){Nil}} }}",
    ],
    [
      "for (p1, p2, ...@p3 <- @1!?(2, 3)) { for (p4, ...@p5 <- @2?!) { Nil } }",
      "new r in { @1!(*r, 2, 3) | for (p1, p2, ...@p3 <- r) { for (s, p4, ...@p5 <- @2) { s!() | Nil } } }",
    ],
    ["for (x0 <- @0 & x1 <- @1; x2 <- @2) { Nil }", "for (x0 <- @0 & x1 <- @1) { for (x2 <- @2) { Nil } }"],
    ["let x, @y, @{a \\/ b} <- 1, 2, 3 | 4 in { Nil }", "match [1, 2, 3 | 4] { [x0, x1, a \\/ b] => { Nil } }"],
    ["let x <- 1; y <- 2; z <- 3 in { Nil }", "let x <- 1 in { let y <- 2 in { let z <- 3 in { Nil } } }"],
    [
      "let x <- 1 & y <- 2 & z <- 3 in { x!(*z) }",
      "new a, b, c in { a!(1) | b!(2) | c!(3) | for (x <- a & y <- b & z <- c) { x!(*z) } }",
    ],
    ["*@{1 | 2}", "1 | 2"],
    ["@*@1!(2)", "@1!(2)"],
    ["bundle{bundle-{1}}", "bundle-{1}"],
    ["1 | {2 | 3}", "{3 | 1} | 2"],
    ["@0!([{1 | 2}])", "@0!([{2 | 1}])"],
    ["@0!({{1 | 2} : {3 | 4}})", "@0!({{2 | 1} : {4 | 3}})"],
  ])("%j is %j", (sugar, plain) => {
    expect(bytes(sugar)).toBe(bytes(plain));
  });
});

describe("refusals of chapter 20 §15.2", () => {
  test.each([
    ["_!(1)", "TopLevelWildcardsNotAllowedError: Top level wildcards are not allowed: _ (wildcard) at -1:-1."],
    ["@_!(1)", "TopLevelWildcardsNotAllowedError: Top level wildcards are not allowed: _ (wildcard) at 1:2."],
    [
      '@"x"!(y | z)',
      "TopLevelFreeVariablesNotAllowedError: Top level free variables are not allowed: y at 1:7, z at 1:11.",
    ],
    [
      "x | _ | ~1",
      "TopLevelLogicalConnectivesNotAllowedError: Top level logical connectives are not allowed: ~ (negation) at 1:10.",
    ],
    [
      "1 /\\ ~2",
      "TopLevelLogicalConnectivesNotAllowedError: Top level logical connectives are not allowed: ~ (negation) at 1:7, /\\ (conjunction) at 1:1.",
    ],
    [
      "for (x <- @1 & y <- @1) { Nil }",
      "ReceiveOnSameChannelsError: Receiving on the same channels is currently not allowed (at 1:6). Ref. RCHAIN-4032.",
    ],
    [
      "for (x <- @0; y <- @1 & z <- @1) { Nil }",
      "ReceiveOnSameChannelsError: Receiving on the same channels is currently not allowed (at 0:0). Ref. RCHAIN-4032.",
    ],
    [
      "for ( ...@x <- @1 & y <- @1) { Nil }",
      "ReceiveOnSameChannelsError: Receiving on the same channels is currently not allowed (at 1:6). Ref. RCHAIN-4032.",
    ],
    [
      "for (x <- @1 & @x <- @2) { Nil }",
      "UnexpectedReuseOfNameContextFree: Free variable x is used twice as a binder (at 1:6 and 1:17) in name context.",
    ],
    [
      "for (@[x, x] <- @0) { Nil }",
      "UnexpectedReuseOfProcContextFree: Free variable x is used twice as a binder (at 1:8 and 1:11) in process context.",
    ],
    ["for (@x <- @0) { x!(1) }", "UnexpectedNameContext: Proc variable: x at 1:7 used in Name context at 1:18"],
    ["new x in { x }", "UnexpectedProcContext: Name variable: x at 1:5 used in process context at 1:12"],
    ["match 1 { =x => Nil }", "UnboundVariableRef: Variable reference: =x at 1:11 is unbound."],
    [
      "bundle{_ | x}",
      "UnexpectedBundleContent: Bundle's content must not have free variables or wildcards. Wildcards positions  at 1:8. Free variables positions `x` at 1:12.",
    ],
    [
      "for (@{x | bundle{Nil}} <- @0) { Nil }",
      "UnexpectedBundleContent: Bundle's content must not have free variables or wildcards. Free variables positions `x` at 1:8.",
    ],
    ["bundle{Uri}", "UnexpectedBundleContent: Illegal top level connective in bundle at position: line: 1, column: 1."],
    [
      "new x in { for (@{~Nil} <- x) { Nil } }",
      "PatternReceiveError: Invalid pattern in the receive: ~ (negation) at 1:20. Only logical AND is allowed.",
    ],
    ["select { x <- @0 => Nil }", "UnrecognizedNormalizerError: Compilation of construct not yet supported."],
    ["9223372036854775808", 'NormalizerError: For input string: "9223372036854775808"'],
    ["000009223372036854775807", "9223372036854775807"],
  ])("%j → %s", (source, expected) => {
    expect(outcome(source)).toBe(expected);
  });

  test.each([
    [["alpha", "beta", "gamma", "delta"], "alpha beta gamma delta"],
    [["alpha", "beta", "gamma", "delta", "epsilon"], "alpha epsilon delta beta gamma"],
    [
      Array.from({ length: 20 }, (_, i) => `v${i}`),
      "v13 v19 v7 v15 v2 v6 v5 v12 v8 v16 v1 v4 v17 v0 v11 v9 v3 v18 v14 v10",
    ],
  ])("free variables are listed as a Scala map lists them: %j", (names, expected) => {
    const listed = [...outcome(`@0!(${names.join(" | ")})`).matchAll(/(\w+) at 1:/g)].map((match) => match[1]);
    expect(listed.join(" ")).toBe(expected);
  });
});

test("every new carries the environment, in its order", () => {
  const value = (n: bigint): Par => Par.of({ exprs: [new GInt(n)] });
  const environment = new Map([
    ["z:last", value(1n)],
    ["a:first", value(2n)],
  ]);
  const par = compile("new x in { new y in { Nil } }", environment);
  const [outer] = par.news;
  expect([...outer!.injections.keys()]).toEqual(["z:last", "a:first"]);
  expect(outer!.p.news[0]!.injections).toBe(outer!.injections);
});

describe("large programs", () => {
  const many = (count: number, part: (i: number) => string, separator: string) =>
    Array.from({ length: count }, (_, i) => part(i)).join(separator);

  test("50,000 parallel processes are no nesting", () => {
    expect(compile(many(50_000, (i) => `@${i}!(1)`, " | ")).sends).toHaveLength(50_000);
  });

  test("a program that is nested beyond the stack is refused, whatever it is nested in", () => {
    const depth = 60_000;
    const nested = [
      `${"{".repeat(depth)}Nil${"}".repeat(depth)}`,
      `${"[".repeat(depth)}${"]".repeat(depth)}`,
      `${"new x in ".repeat(depth)}Nil`,
      `${"for (x <- @0) {".repeat(depth)}Nil${"}".repeat(depth)}`,
      `${"@0!?(1); ".repeat(depth)}Nil`,
      `${"if (true) 1 else ".repeat(depth)}2`,
      `${"@{*".repeat(depth)}@1${"}".repeat(depth)}!(1)`,
      "(".repeat(depth),
      many(depth, (i) => `${i}`, " + "),
      `1${".m()".repeat(depth)}`,
    ];
    for (const source of nested) expect(outcome(source)).toMatch(/^NestedTooDeeply: The program is nested too deeply/);
  });
});

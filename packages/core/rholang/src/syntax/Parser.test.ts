import { describe, expect, test } from "vitest";
import { InterpreterError } from "../InterpreterError.js";
import { parseProgram } from "./Parser.js";

/** Class and message of the refusal, or "accepted". */
function outcome(source: string): string {
  try {
    parseProgram(source);
    return "accepted";
  } catch (error) {
    if (error instanceof InterpreterError) return `${error.failure.class}: ${error.message}`;
    throw error;
  }
}

const syntax = (text: string) => `SyntaxError: syntax error(): ${text}`;

describe("the rules of chapter 20 §15.1 for rnode's parser hold", () => {
  test.each([
    ["Nil // comment", "accepted"],
    ["Nil // c\rNil", "accepted"],
    ["Nil /* unclosed", "accepted"],
    ["/* a \r\n b */ Nil", "UnrecognizedInterpreterError: Unrecognized interpreter error"],
    ['{{ @"ack!(0) }}', 'LexerError: Illegal Character <"> at 1:5(4)'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Rholang's interpolation
    ['("x is ${value}" ^ {"value" : x})', "LexerError: Illegal Character <^> at 1:18(17)"],
    ['"a\\u0041"', 'LexerError: Illegal Character <"> at 1:1(0)'],
    ["`a\\nb`", "LexerError: Illegal Character <`> at 1:1(0)"],
    ["x²", "LexerError: Illegal Character <²> at 1:2(1)"],
    ['x!("😀") 😀', "LexerError: Illegal Character <😀> at 1:10(9)"],
    ["\ufeffNil", "LexerError: Illegal Character <\ufeff> at 1:1(0)"],
    ["1 \v 2", "UnrecognizedInterpreterError: Unrecognized interpreter error"],
    ["1 \u0085 2", "UnrecognizedInterpreterError: Unrecognized interpreter error"],
    ["1 \u2028 2", "UnrecognizedInterpreterError: Unrecognized interpreter error"],
    ["x!(1", "SyntaxError: syntax error(EOF):  at 1:5-1:5"],
    ['@"a"!(1,)', syntax(",) at 1:8-1:10")],
    ["a<-1", syntax("<- at 1:2-1:4")],
    ["--1", syntax("-- at 1:1-1:3")],
    ["1 matches 2 matches 3", syntax("matches at 1:13-1:20")],
    ["if (true) if (true) Nil else Nil", syntax("if at 1:11-1:13")],
    ["contract x(a) = Nil", syntax("Nil at 1:17-1:20")],
    ["match x { a | b => Nil }", syntax("| at 1:13-1:14")],
    ["match x { 1 => for(x <- y){Nil} 2 => Nil }", syntax("for at 1:16-1:19")],
    ["(1|2)", syntax(") at 1:5-1:6")],
    ["@(1+2)!(3)", syntax(") at 1:6-1:7")],
    ["@1+2!(3)", syntax("+ at 1:3-1:4")],
    ["1 && 2", syntax("& at 1:3-1:4")],
    ["bundle +{x}", syntax("+ at 1:8-1:9")],
    ["let x <- 1; y <- 2 & z <- 3 in { Nil }", syntax("& at 1:20-1:21")],
    ["let in { Nil }", syntax("in at 1:5-1:7")],
    ["new x, y(`rho:a`), in Nil", syntax("in at 1:20-1:22")],
    ['x!("a") "b\nc"', syntax('"b\nc" at 1:9-1:14')],
    ["1 \n\n + \n * 2", syntax("2 at 4:4-4:5")],
    ["[1,2,]", "accepted"],
    ["x!(1, )", "accepted"],
    ["Set(1, )", "accepted"],
    ["{1:2,}", "accepted"],
    ["for(a, b, <- x){Nil}", "accepted"],
    ["let x <- in {Nil}", "accepted"],
    ["let <- 1 in {Nil}", "accepted"],
  ])("%j → %s", (source, expected) => {
    expect(outcome(source)).toBe(expected);
  });
});

describe("operators bind as in chapter 20 §15.1", () => {
  test.each([
    ["1 + 2 * 3 - 4", "{1 + {2 * 3}} - 4"],
    ['"a" ++ "b" -- "c" %% {"a":1}', '{"a" ++ "b"} -- {"c" %% {"a":1}}'],
    ["true and false or true", "{true and false} or true"],
    ["not x matches 1", "{not x} matches 1"],
    ["x matches 1 \\/ 2", "x matches {1 \\/ 2}"],
    ["*x.foo()", "{*x}.foo()"],
    ["-x.foo()", "-{x.foo()}"],
    ["x * -y", "x * {-y}"],
    ["new x in x!(1) | y!(2)", "{new x in x!(1)} | y!(2)"],
    ["x!?(1); y!(2) | z!(3)", "{x!?(1); {y!(2)}} | z!(3)"],
    ["(1 ,)", "(1,)"],
    ["(1, )", "(1,)"],
  ])("%j is %j", (source, braced) => {
    expect(withoutPositions(source)).toEqual(withoutPositions(braced));
  });
});

function withoutPositions(source: string): unknown {
  const dropPosition = (key: string, value: unknown) => (key === "position" ? undefined : value);
  return JSON.parse(JSON.stringify(parseProgram(source).process, dropPosition));
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the evaluated language
import { GDeployId, GPrivate, Par, parOfUnforgeable, printPar } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { compile } from "../../compile.js";
import { Phlo } from "../../cost/Phlo.js";
import { InterpreterError } from "../../InterpreterError.js";
import { Environment } from "../Environment.js";
import { FatalError } from "../FatalError.js";
import { evalExpr } from "./evalExpr.js";

const limit = 1_000_000n;
const deployId = parOfUnforgeable(new GDeployId(new TextEncoder().encode("deployId")));
const name = parOfUnforgeable(new GPrivate(Uint8Array.of(9)));

/** Evaluates a program's text as the datum of a send; `id` and `n` are a deploy id and a name. */
function evaluated(source: string, phlo = new Phlo(limit)): Par {
  const datum = compile(`new n, id in { @0!(${source}) }`).news[0]!.p.sends[0]!.data[0]!;
  return evalExpr(datum, Environment.of([name, deployId]), phlo);
}

function printed(source: string): string {
  return printPar(evaluated(source));
}

/** The literal as it would be printed. */
function literal(source: string): string {
  return printPar(compile(`@0!(${source})`).sends[0]!.data[0]!);
}

function cost(source: string): number {
  const phlo = new Phlo(limit);
  evaluated(source, phlo);
  return Number(phlo.used);
}

/** Class and text of the error. */
function failure(source: string): string {
  try {
    evaluated(source);
  } catch (error) {
    if (error instanceof InterpreterError) return `${error.failure.class}: ${error.message}`;
    if (error instanceof FatalError) return `fatal: ${error.message}`;
    throw error;
  }
  return "no failure";
}

describe("operators", () => {
  test.each([
    ["7 + 8", "15"],
    ["9223372036854775807 + 1", "-9223372036854775808"],
    ["-9223372036854775807 - 2", "9223372036854775807"],
    ["9223372036854775807 * 2", "-2"],
    ["-(-9223372036854775807 - 1)", "-9223372036854775808"],
    ["(-9223372036854775807 - 1) / -1", "-9223372036854775808"],
    ["(-9223372036854775807 - 1) % -1", "0"],
    ["-7 / 2", "-3"],
    ["-7 % 2", "-1"],
    ["true and false", "false"],
    ["true or false", "true"],
    ["not true", "false"],
    ["1 < 2", "true"],
    ["false < true", "true"],
    ['"a" < "ab"', "true"],
    ['"a" >= "b"', "false"],
    ["[1, 2] == [1, 1 + 1]", "true"],
    ["{@1!(2)} == {@1!(3)}", "false"],
    ["Nil != 1", "true"],
    ['"abc" ++ "def"', '"abcdef"'],
    ['"dead".hexToBytes() ++ "beef".hexToBytes()', "deadbeef"],
    ["[3, 2, 9] ++ [6, 1, 7]", "[3, 2, 9, 6, 1, 7]"],
    ["Set(1, 2) ++ Set(3, 4)", "Set(1, 2, 3, 4)"],
    ['{1: "a"} ++ {1: "b", 2: "c"}', '{1 : "b", 2 : "c"}'],
    ["Set(1, 2, 3, 4) -- Set(1, 2)", "Set(3, 4)"],
    ["Set(1, 2) + 3", "Set(1, 2, 3)"],
    ["Set(1, 2, 3) - 3", "Set(1, 2)"],
    ['{1: "a", 2: "b", 3: "c"} - 3', '{1 : "a", 2 : "b"}'],
    ["1 matches 1", "true"],
    ["1 matches 0", "false"],
    ["1 matches _", "true"],
    ['"Hello, ${name}!" %% {"name": "Alice"}', '"Hello, Alice!"'],
    ['"${a} ${b}" %% {"a": "1 ${b}", "b": "2 ${a}"}', '"1 ${b} 2 ${a}"'],
    ['"${a} ${b}" %% {"a": false, "b": true}', '"false true"'],
    ['"${${a}}$${a} ${x} ${" %% {"a": 7}', '"${7}$7 ${x} ${"'],
    ['"" %% {}', '""'],
  ])("%s is %s", (source, expected) => {
    expect(printed(source)).toBe(expected);
  });

  test.each([
    ['1 + "a"', "OperatorExpectedError: Error: Operator `+` is not defined on String."],
    ["true + 1", "OperatorNotDefined: Error: Operator `+` is not defined on Bool."],
    ['"00".hexToBytes() ++ "a"', "OperatorNotDefined: Error: Operator `++` is not defined on ByteArray."],
    ["Set(1) ++ {1: 1}", "OperatorExpectedError: Error: Operator `++` is not defined on Map."],
    ["{1: 2} -- {1: 2}", "OperatorNotDefined: Error: Operator `--` is not defined on Map."],
    ['"a" %% "b"', "OperatorExpectedError: Error: Operator `%%` is not defined on String."],
    ['"${a}" %% {1: "a"}', "ReduceError: Error: interpolation Map should only contain String keys"],
    ['"${a}" %% {"a": [1]}', "ReduceError: Error: interpolation doesn't support List"],
    ["Nil + 1", "ReduceError: Error: Multiple expressions given."],
    ["{@1!(1)} + 1", "ReduceError: Error: parallel or non expression found where expression expected."],
    ["-Nil", "ReduceError: Error: Integer expected, or unimplemented expression."],
    ['-"a"', "ReduceError: Error: expression didn't evaluate to integer."],
    ["not 1", "ReduceError: Error: expression didn't evaluate to boolean."],
    ['1 < "a"', "ReduceError: Unexpected compare: Expr(GInt(1)) vs. Expr(GString(a))"],
    [
      "[1] < [2]",
      "ReduceError: Unexpected compare: Expr(EListBody(EList(List(Par(List(),List(),List(),Vector(Expr(GInt(1)))," +
        "List(),List(),List(),List(),AlwaysEqual(BitSet()),false)),AlwaysEqual(BitSet()),false,None))) vs. " +
        "Expr(EListBody(EList(List(Par(List(),List(),List(),Vector(Expr(GInt(2)))," +
        "List(),List(),List(),List(),AlwaysEqual(BitSet()),false)),AlwaysEqual(BitSet()),false,None)))",
    ],
    ["1 / 0", "fatal: / by zero"],
    ["1 % 0", "fatal: / by zero"],
  ])("%s fails", (source, expected) => {
    expect(failure(source)).toBe(expected);
  });
});

describe("methods", () => {
  test.each([
    ['"abc".length()', "3"],
    ['"😀".length()', "2"],
    ['"abcabac".slice(3, 6)', '"aba"'],
    ['"abcabcac".slice(2, 1)', '""'],
    ['"abcabcac".slice(8, 9)', '""'],
    ['"abcabcac".slice(-2, 2)', '"ab"'],
    ["[3, 7, 2, 9, 4, 3, 7].slice(3, 5)", "[9, 4]"],
    ["[3, 7, 2, 9, 4, 3, 7].slice(5, 4)", "[]"],
    ["[3, 7, 2, 9, 4, 3, 7].slice(-2, 2)", "[3, 7]"],
    ["[1, 2, 3].take(2)", "[1, 2]"],
    ["[1, 2, 3].take(-1)", "[]"],
    ["[1, 2, 3].nth(1)", "2"],
    ["(1, 2, 3).nth(2)", "3"],
    ['"00ff".hexToBytes().nth(1)', "255"],
    ['"xf ff".hexToBytes()', "0fff"],
    ['"00FF".hexToBytes().bytesToHex()', '"00ff"'],
    ['"é".toUtf8Bytes()', "c3a9"],
    ['"😀".slice(0, 1).toUtf8Bytes()', "3f"],
    ['{1: "a", 2: "b"}.getOrElse(1, "c")', '"a"'],
    ['{1: "a", 2: "b"}.getOrElse(3, "c")', '"c"'],
    ["{1: 2}.get(3)", "Nil"],
    ['{1: "a", 2: "b"}.set(3, "c")', '{1 : "a", 2 : "b", 3 : "c"}'],
    ['{1: "a", 2: "b"}.set(2, "c")', '{1 : "a", 2 : "c"}'],
    [
      "{1: 1, 2: 2, 3: 3, 4: 4, 6: 6}.set(5, 5).set(6, 7).set(0, 0)",
      "{0 : 0, 1 : 1, 2 : 2, 3 : 3, 4 : 4, 5 : 5, 6 : 7}",
    ],
    ["{1: 1, 2: 2, 3: 3, 4: 4, 6: 6}.delete(3).delete(9)", "{1 : 1, 2 : 2, 4 : 4, 6 : 6}"],
    ['{1: "a", 2: "b", 3: "c"}.keys()', "Set(1, 2, 3)"],
    ['{1: "a", 2: "b", 3: "c"}.size()', "3"],
    ["Set(2, 1, 2).size()", "2"],
    ["Set(1, 3).add(2).add(3)", "Set(1, 2, 3)"],
    ["Set(1, 2, 3).delete(2)", "Set(1, 3)"],
    ["Set(1, 2, 3).contains(2)", "true"],
    ["{1: 2}.contains(2)", "false"],
    ["Set(1, 2).union(Set(0))", "Set(0, 1, 2)"],
    ["{1: 1, 2: 2}.diff({2: 3})", "{1 : 1}"],
    ["Set(1,2,3).toList()", "[1, 2, 3]"],
    ['{"a":1,"b":2}.toList()', '[("a", 1), ("b", 2)]'],
    ["(1,2,3).toList()", "[1, 2, 3]"],
    ["[1, 1].toSet()", "Set(1)"],
    ['[("a",1),("a",2)].toMap()', '{"a" : 2}'],
    ["[].toMap()", "{}"],
    ["*id.toString()", '"6465706c6f794964"'],
    ["1.toByteArray()", "2a021002"],
    ["*n.toByteArray()", "3a050a030a0109"],
    ['{"a": *n}.get("a") == *n', "true"],
  ])("%s is %s", (source, expected) => {
    expect(printed(source)).toBe(expected);
  });

  test.each([
    ["Set(1, 2, 3).get(1)", "MethodNotDefined: Error: Method `get` is not defined on Set."],
    ['{1: "a", 2: "b"}.add(1)', "MethodNotDefined: Error: Method `add` is not defined on Map."],
    ["1.toUtf8Bytes()", "MethodNotDefined: Error: Method `toUtf8Bytes` is not defined on Int."],
    [
      "1.toByteArray(1)",
      "MethodArgumentNumberMismatch: Error: Method `toByteArray` expects 0 Par argument(s), but got 1 argument(s).",
    ],
    ['["a", ("b",2)].toMap()', "MethodNotDefined: Error: Method `toMap` is not defined on types except List[(K,V)]."],
    ["1.toSet()", "MethodNotDefined: Error: Method `toSet` is not defined on Int."],
    ["*n.toString()", "MethodNotDefined: Error: Method `toString` is not defined on PrivateBody."],
    ["1.toString()", "ReduceError: Error: non unforgeable found where unforgeable expected."],
    ["{*n | *id}.toString()", "ReduceError: Error: Multiple unforgeables given."],
    ["Nil.hexToBytes()", "ReduceError: Error: Method can only be called on singular expressions."],
    ["[1].nth(-1)", "ReduceError: Error: index out of bound: -1"],
    ['"abc".nth(0)', "ReduceError: Error: nth applied to something that wasn't a list or tuple."],
    ["[1].take(99999999999)", "ReduceError: Integer overflow for value 99999999999"],
    ["1.foo(2)", "ReduceError: Unimplemented method: foo"],
    ['"0011".hexToBytes().slice(-1, 1)', "fatal: Beginning index: -1 < 0"],
    ['"0011".hexToBytes().slice(0, 3)', "fatal: End index: 3 >= 2"],
    ['"0011".hexToBytes().slice(2, 1)', "fatal: Beginning index larger than ending index: 2, 1"],
  ])("%s fails", (source, expected) => {
    expect(failure(source)).toBe(expected);
  });
});

describe("costs of 22 §8.6, less what their operands cost", () => {
  const list = (count: number): string => `[${Array.from({ length: count }, () => "0").join(", ")}]`;
  const set = (count: number): string => `Set(${Array.from({ length: count }, (_, i) => i).join(", ")})`;
  const map = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"${i}": ${i}`).join(", ")}}`;
  const text = (count: number): string => `"${"a".repeat(count)}"`;

  test.each<[string, number]>([
    [`${list(1)}.nth(0)`, 10],
    [`${list(100)}.nth(99)`, 10],
    ["1.toByteArray()", 8],
    [`${text(6)}.hexToBytes()`, 6],
    [`${text(1000)}.hexToBytes()`, 1000],
    [`${text(100)}.toUtf8Bytes()`, 100],
    [`${set(3)}.union(Set())`, 0],
    [`${set(3)}.union(${set(1)})`, 3],
    [`${map(3)}.diff(${map(1000)})`, 3000],
    [`${set(3)}.add(1)`, 3],
    [`${set(3)}.delete(1)`, 3],
    [`${set(3)}.contains(1)`, 3],
    [`${map(3)}.get(1)`, 3],
    [`${map(3)}.getOrElse(1, 2)`, 3],
    [`${map(3)}.set(1, 2)`, 3],
    [`${map(3)}.keys()`, 10],
    [`${set(0)}.size()`, 0],
    [`${map(100)}.size()`, 100],
    [`${list(3)}.length()`, 10],
    [`${text(3)}.length()`, 10],
    [`${text(300)}.slice(0, 1)`, 1],
    [`${text(300)}.slice(1, 0)`, 0],
    [`${text(300)}.slice(10, 100)`, 100],
    [`${text(300)}.slice(0, -1000)`, -1000],
    [`${list(3)}.take(-7)`, -7],
    [`${list(3)}.toList()`, 0],
    [`${set(3)}.toList()`, 3],
    [`${list(3)}.toSet()`, 0],
    [`${list(1000)} ++ ${list(100)}`, 100],
    [`${text(100)} ++ ${text(1)}`, 101],
    ['"a" %% {"k": 1}', 1],
    [`${text(100)} %% {}`, 0],
    [`${text(100)} %% ${map(10)}`, 1000],
    [`${set(3)} + 9`, 3],
    [`${set(3)} -- ${set(2)}`, 6],
  ])("%s", (source, expected) => {
    // Every call and every such operator costs 10 before.
    expect(cost(source)).toBe(10 + expected);
  });

  test.each<[string, number]>([
    ["1 + 2", 3],
    ["1 - 2", 3],
    ["1 * 2", 9],
    ["1 / 2", 9],
    ["1 % 2", 9],
    ["1 < 2", 3],
    ["true and false", 2],
    ["not true", 0],
    ["-(1)", 0],
    ["1 == 100", 4 + 5 + 4],
    ["*n == *n", 10 + 10 + 7 + 7 + 7],
    ["1 matches _", 4 + 11],
    ["[*n, *n]", 20],
    ['"".slice(0, 0) ++ ""', 20],
    ['"00".hexToBytes() ++ ""..hexToBytes()'.replace("..", "."), 10 + 12 + 10 + 0],
  ])("%s costs %i in all", (source, expected) => {
    expect(cost(source)).toBe(expected);
  });

  test("bytes appended to a hundred bytes cost the digits of the length less one", () => {
    const hundred = `"${"00".repeat(100)}".hexToBytes()`;
    expect(cost(`${hundred} ++ ${hundred}`)).toBe(10 + 2 * 210 + 2);
  });
});

describe("what evaluation leaves", () => {
  test("a value is the same object, and free of charge", () => {
    const value = compile('@0!([1, "a", (true, {1: Set(2)}), @1!(2)])').sends[0]!.data[0]!;
    const phlo = new Phlo(0n);
    expect(evalExpr(value, Environment.empty, phlo)).toBe(value);
    expect(phlo.used).toBe(0n);
  });

  test("several expressions are in reverse order (21 §5.1)", () => {
    expect(evaluated("1 | 2 | 3").exprs.map((expr) => (expr.kind === "GInt" ? expr.value : expr.kind))).toEqual([
      3n,
      2n,
      1n,
    ]);
  });

  test("an element that evaluation left unsorted is not found by delete, and is added again (21 §5.5)", () => {
    expect(printed("Set({1 | 2}, 3).delete({1 | 2}).size()")).toBe("2");
    const added = evaluated("Set({1 | 2}, 3).add({1 | 2})").exprs[0]!;
    expect(added.kind === "ESet" ? added.ps.length : added.kind).toBe(3);
    expect(printed("Set({1 | 2}, 3).contains({1 | 2})")).toBe("true");
    expect(printed("{{1 | 2}: 3}.set({1 | 2}, 4).get({2 | 1})")).toBe("4");
  });

  test("processes are not run, and terms beside expressions stay", () => {
    const par = evaluated("{@1!(2) | 1 + 1}");
    expect(par.sends.length).toBe(1);
    expect(printPar(Par.of({ exprs: par.exprs }))).toBe("2");
  });

  test("a term without a value is reported", () => {
    const datum = compile("for (x <- @0) { @0!(*x) }").receives[0]!.body.sends[0]!.data[0]!;
    expect(() => evalExpr(datum, Environment.empty, new Phlo(limit))).toThrow("Unbound variable: 0 in");
  });
});

test("literals print as they are read", () => {
  expect(literal("[1, (2, 3)]")).toBe("[1, (2, 3)]");
});

import { isDeepStrictEqual } from "node:util";
import {
  f1r3nodeExprOf,
  parseJson,
  printJson,
  readBySchema,
  rhoExpr,
  rhoExprOf,
  taggedExpr,
  taggedRhoExpr,
} from "@vedette/api";
import {
  Bundle,
  EBinary,
  EList,
  EPathMap,
  type Expr,
  EZipper,
  emptyBitSet,
  encodePar,
  equalPar,
  GBigInt,
  GBigRational,
  GDouble,
  GFixedPoint,
  GInt,
  nil,
  Par,
  parOfExpr,
  Send,
  sysAuthToken,
} from "@vedette/terms";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRhoPar, anyRhoValue } from "../testing/fakes/anyRhoValue.js";
import { RhoBigInt, RhoDouble, RhoFixedPoint, type RhoNumber, RhoRational } from "./RhoNumber.js";
import { RhoPar, RhoTuple, RhoUnforgeable, RhoUri } from "./RhoValue.js";
import { rhoJsonOf, rhoValueOfJson, rhoValuesOfJson, taggedRhoJsonOf } from "./rhoJson.js";
import { RholangTerm, rholang } from "./rholang.js";
import { rholangText } from "./rholangText.js";
import { parOfRhoValue, rhoValueOfPar } from "./rhoPar.js";
import { ValueError } from "./ValueError.js";

const everything = { unforgeables: true, negatives: true, bytes: true, keys: "any" } as const;
const jsonable = { ...everything, keys: "texts" } as const;

const through = (schema: typeof rhoExpr | typeof taggedRhoExpr, json: unknown) =>
  readBySchema(schema, parseJson(printJson(json as never)), "refuse");

test("every value comes back from both forms of JSON, through the text that nodes read", () => {
  fc.assert(
    fc.property(anyRhoValue(jsonable), (value) => {
      const [plain, tagged] = [rhoJsonOf(value), taggedRhoJsonOf(value)];
      expect(rhoValueOfJson(through(rhoExpr, plain))).toEqual(value);
      expect(rhoValueOfJson(through(taggedRhoExpr, tagged))).toEqual(value);
    }),
  );
});

test("every value comes back from its term", () => {
  fc.assert(
    fc.property(fc.oneof(anyRhoValue(everything), anyRhoPar(everything)), (value) => {
      const par = parOfRhoValue(value);
      const back = rhoValueOfPar(par)!;
      expect(encodePar(parOfRhoValue(back))).toEqual(encodePar(par));
      expect(equalPar(parOfRhoValue(back), par)).toBe(true);
    }),
  );
});

test("the JSON of a value equals what a node sends for its term", () => {
  fc.assert(
    fc.property(anyRhoValue(everything), (value) => {
      const expr = rhoExprOf(parOfRhoValue(value))!;
      const canonical = rhoValueOfPar(parOfRhoValue(value))!;
      expect(printJson(rhoJsonOf(canonical) as never)).toBe(printJson(expr));
      expect(printJson(taggedRhoJsonOf(canonical) as never)).toBe(printJson(taggedExpr(expr)));
    }),
  );
});

test("each kind has its own form", () => {
  const name = new RhoUnforgeable("deploy", "3045AB");
  const value = [1, "a", null, true, new Uint8Array([0, 255]), new RhoUri("rho:id:x"), new RhoTuple(1, 2), name];
  expect(printJson(rhoJsonOf(value) as never)).toBe(
    '{"ExprList":{"data":[{"ExprInt":{"data":1}},{"ExprString":{"data":"a"}},{"ExprNil":{}},{"ExprBool":{"data":true}},{"ExprBytes":{"data":"00ff"}},{"ExprUri":{"data":"rho:id:x"}},{"ExprTuple":{"data":[{"ExprInt":{"data":1}},{"ExprInt":{"data":2}}]}},{"ExprUnforg":{"data":{"UnforgDeploy":{"data":"3045ab"}}}}]}}',
  );
  expect(rholangText({ a: [-1, new Set([1n])], __proto__x: new RhoPar("x", "y") })).toBe(
    '{"a": [{-1}, Set(1)], "__proto__x": {"x" | "y"}}',
  );
  expect(rholangText(new RhoTuple(-(2n ** 63n)))).toBe("({-9223372036854775807 - 1},)");
  expect(rholangText([new Uint8Array([10]), new RhoUri("rho:io:stdout"), new Set(), {}, []])).toBe(
    '[{"0a".hexToBytes()}, `rho:io:stdout`, Set(), {}, []]',
  );
});

test("numbers of f1r3node networks are read from both forms, and from terms", () => {
  const numbers: readonly [RhoNumber, Expr][] = [
    [new RhoDouble(1.5), new GDouble(0x3ff8000000000000n)],
    [new RhoDouble(2), new GDouble(0x4000000000000000n)],
    [new RhoDouble(Number.NaN), new GDouble(0x7ff8000000000000n)],
    [new RhoBigInt(-200n), new GBigInt(Uint8Array.of(0xff, 0x38))],
    [new RhoRational(1n, -2n), new GBigRational(Uint8Array.of(1), Uint8Array.of(254))],
    [new RhoFixedPoint(314n, 2), new GFixedPoint(Uint8Array.of(1, 0x3a), 2)],
  ];
  for (const [value, expr] of numbers) {
    const json = f1r3nodeExprOf(parOfExpr(expr))!;
    expect(rhoValueOfJson(through(rhoExpr, json))).toEqual(value);
    expect(rhoValueOfJson(through(taggedRhoExpr, taggedExpr(json)))).toEqual(value);
    expect(rhoJsonOf(value)).toEqual(JSON.parse(printJson(json)));
    expect(taggedRhoJsonOf(value)).toEqual(JSON.parse(printJson(taggedExpr(json))));
    expect(rhoValueOfPar(parOfExpr(expr))).toEqual(value);
    expect(() => rholangText(value)).toThrow("that the client only reads");
    expect(() => parOfRhoValue([value])).toThrow("that the client only reads");
  }
  const map = new EPathMap([parOfExpr(new GInt(1n))], emptyBitSet, false, undefined);
  const zipper = parOfExpr(new EZipper(map, [Uint8Array.of(7)], true, emptyBitSet, false));
  const bundle = Par.of({ bundles: [new Bundle(parOfExpr(new GInt(1n)), true, false)] });
  for (const par of [parOfExpr(map), zipper, bundle])
    expect(rhoValueOfJson(through(rhoExpr, f1r3nodeExprOf(par)))).toEqual(rhoValueOfPar(par));
  expect(rhoValueOfPar(zipper)).toEqual(new RhoTuple([1n], [Uint8Array.of(7)]));
});

test("what a node of f1r3node sends that is no value is left out", () => {
  const send = new Send(nil, [], false, emptyBitSet, false);
  const sum = parOfExpr(new EBinary("EPlus", parOfExpr(new GInt(1n)), parOfExpr(new GInt(2n))));
  const token = Par.of({ unforgeables: [sysAuthToken] });
  const bundle = Par.of({ bundles: [new Bundle(sum, true, true)] });
  const others = [Par.of({ sends: [send] }), sum, token, bundle];
  const json = others.map((par) => f1r3nodeExprOf(par)!);
  expect(rhoValuesOfJson([...json, ...json.map(taggedExpr)])).toEqual([]);
  const list = parOfExpr(new EList([parOfExpr(new GInt(7n)), ...others], emptyBitSet, false, undefined));
  expect(rhoValuesOfJson([through(rhoExpr, f1r3nodeExprOf(list))])).toEqual([[7n]]);
  const map = { ExprMap: { data: { a: json[0], b: { ExprInt: { data: 1 } } } } };
  expect(rhoValueOfJson(map)).toEqual(new Map([["b", 1n]]));
});

test("collections may be long", () => {
  const data = Array.from({ length: 150_000 }, () => ({ ExprNil: {} }));
  for (const kind of ["ExprTuple", "ExprList", "ExprSet", "ExprPar"]) {
    const value = rhoValueOfJson({ [kind]: { data } });
    // Not `toEqual`, which looks for differences: it takes a second for this many items.
    expect(isDeepStrictEqual(rhoValueOfJson(rhoJsonOf(value)), value)).toBe(true);
  }
});

test("a hostile key of a map stays a key", () => {
  const value = rhoValueOfJson(JSON.parse('{"ExprMap":{"data":{"__proto__":{"ExprInt":{"data":1}}}}}'));
  expect(value).toEqual(new Map([["__proto__", 1n]]));
  expect(JSON.stringify(taggedRhoJsonOf(new Map([["__proto__", "x"]])))).toContain('"__proto__"');
});

test("an invalid value is refused, and the message has the reason", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  const cases: [() => unknown, ValueError["failure"]["code"]][] = [
    [() => rhoJsonOf(1.5), "notInteger"],
    [() => rhoJsonOf(2 ** 53), "notInteger"],
    [() => rhoJsonOf(Number.NaN), "notInteger"],
    [() => rhoJsonOf(2n ** 63n), "outOfRange"],
    [() => rholangText("\ud800"), "loneSurrogate"],
    [() => rholangText(undefined as never), "notValue"],
    [() => rholangText(new Date() as never), "notValue"],
    [() => rholangText(loop as never), "tooDeep"],
    [() => rholangText(new RhoTuple()), "emptyTuple"],
    [() => rholangText(new RhoUri("rho:`x")), "badUri"],
    [() => rholangText([new RhoUnforgeable("private", "aa")]), "noSource"],
    [() => new RhoUnforgeable("private", "abc"), "badHex"],
    [() => rhoJsonOf(new Map([[[1n], 1n]])), "badKey"],
    [() => rhoValueOfJson({ ExprInt: { data: "1" } }), "badJson"],
    [() => rhoValueOfJson({ ExprInt: { data: 2 ** 60 } }), "notInteger"],
    [() => rhoValueOfJson({ ExprBytes: { data: "0" } }), "badHex"],
    [() => rhoValueOfJson({ ExprNil: {}, ExprInt: {} }), "badJson"],
    [() => rhoValueOfJson({ ExprUnforg: { data: { toString: { data: "aa" } } } }), "badJson"],
    [() => rhoValueOfJson({ type: "ExprList" }), "badJson"],
    [() => rhoValueOfJson({ ExprBigInt: { data: 1 } }), "badJson"],
    [() => rhoValueOfJson({ ExprBigInt: { data: "1".repeat(100_001) } }), "badJson"],
    [() => rhoValueOfJson({ ExprBigRat: { numerator: "1" } }), "badJson"],
    [() => rhoValueOfJson({ ExprFixedPoint: { value: "x", scale: 1 } }), "badJson"],
    [() => rhoValueOfJson({ ExprFloat: { data: "1" } }), "badJson"],
    [() => rhoValueOfJson([]), "badJson"],
    [() => rhoValueOfJson(undefined), "badJson"],
  ];
  for (const [run, code] of cases) {
    expect(run).toThrow(ValueError);
    expect(run).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code }) }));
  }
});

test("values in a program stay values", () => {
  const hostile = '") | @"admin"!("';
  expect(rholang`@"x"!(${hostile}, ${1}, ${{ a: true }})`.text).toBe(
    '@"x"!("\\") | @\\"admin\\"!(\\"", 1, {"a": true})',
  );
  expect(rholang`new out(${new RhoUri("rho:io:stdout")}) in { out!(${-1}) }`.text).toBe(
    "new out(`rho:io:stdout`) in { out!({-1}) }",
  );
  expect(rholang`new rl(\`rho:registry:lookup\`) in { ${rholang`x!(1) // why`} }`.text).toBe(
    "new rl(`rho:registry:lookup`) in { x!(1) // why\n }",
  );
  expect(rholang`if(x)then${true}else${1}2`.text).toBe("if(x)then true else 1 2");
  expect(rholang`"a\n\\" /* " */ | "\"" /\ ${"x"}`.text).toBe('"a\\n\\\\" /* " */ | "\\"" /\\ "x"');
});

test("a value is not allowed inside a text, a URI or a comment", () => {
  const value = "x";
  expect(() => rholang`"hello ${value}"`).toThrow(/inside a text/);
  expect(() => rholang`"a\"${value}"`).toThrow(/inside a text/);
  expect(() => rholang`new x(\`rho:${value}\`) in { Nil }`).toThrow(/inside a URI/);
  expect(() => rholang`Nil // ${value}`).toThrow(/inside a comment/);
  expect(() => rholang`Nil /* ${value} */`).toThrow(/inside a comment/);
  expect(() => new RholangTerm('x!("')).toThrow(/ends inside a text/);
  expect(() => new RholangTerm("Nil /* ")).toThrow(/ends inside a comment/);
});

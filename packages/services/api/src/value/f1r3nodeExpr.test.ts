import {
  Bundle,
  EBinary,
  EMap,
  EMethod,
  EPathMap,
  EUnary,
  EZipper,
  emptyBitSet,
  GBigInt,
  GBigRational,
  GBool,
  GByteArray,
  GDouble,
  GFixedPoint,
  GInt,
  GPrivate,
  GString,
  nil,
  Par,
  parOfExpr,
  Send,
  sysAuthToken,
} from "@vedette/terms";
import { expect, test } from "vitest";
import { printJson } from "../json/printJson.js";
import { f1r3nodeExprOf } from "./f1r3nodeExpr.js";
import { taggedExpr } from "./taggedExpr.js";

const int = (value: number) => parOfExpr(new GInt(BigInt(value)));
const shown = (par: Par) => printJson(f1r3nodeExprOf(par) ?? null);
const one = '{"ExprInt":{"data":1}}';

test("numbers of all kinds are encoded without loss", () => {
  expect(shown(parOfExpr(new GDouble(0x3ff8000000000000n)))).toBe('{"ExprFloat":{"data":1.5}}');
  expect(shown(parOfExpr(new GDouble(0x7ff8000000000000n)))).toBe('{"ExprFloat":{"data":null}}');
  expect(shown(parOfExpr(new GBigInt(Uint8Array.of(0xff, 0x38))))).toBe('{"ExprBigInt":{"data":"-200"}}');
  expect(shown(parOfExpr(new GBigInt(new Uint8Array(0))))).toBe('{"ExprBigInt":{"data":"0"}}');
  const half = new GBigRational(Uint8Array.of(1), Uint8Array.of(2));
  expect(shown(parOfExpr(half))).toBe('{"ExprBigRat":{"numerator":"1","denominator":"2"}}');
  expect(shown(parOfExpr(new GFixedPoint(Uint8Array.of(1, 0x3a), 2)))).toBe(
    '{"ExprFixedPoint":{"value":"314","scale":2}}',
  );
});

test("path maps are lists, zippers pairs, bundles keep what may be done with them", () => {
  const map = new EPathMap([int(1), nil], emptyBitSet, false, undefined);
  expect(shown(parOfExpr(map))).toBe(`{"ExprList":{"data":[${one}]}}`);
  const zipper = new EZipper(map, [Uint8Array.of(1, 255)], true, emptyBitSet, false);
  const path = '{"ExprList":{"data":[{"ExprBytes":{"data":"01ff"}}]}}';
  expect(shown(parOfExpr(zipper))).toBe(`{"ExprTuple":{"data":[{"ExprList":{"data":[${one}]}},${path}]}}`);
  expect(shown(Par.of({ bundles: [new Bundle(nil, true, false)] }))).toBe(
    '{"ExprBundle":{"data":{"ExprUnknown":{"type_name":"Nil"}},"read":false,"write":true}}',
  );
});

test("operators, methods and processes are encoded; only Nil is left out", () => {
  expect(shown(parOfExpr(new EBinary("EPlusPlus", int(1), int(1))))).toBe(
    `{"ExprConcat":{"left":${one},"right":${one}}}`,
  );
  expect(shown(parOfExpr(new EUnary("ENeg", int(1))))).toBe(`{"ExprNeg":{"data":${one}}}`);
  const method = new EMethod("nth", int(1), [nil, int(1)], emptyBitSet, false);
  expect(shown(parOfExpr(method))).toBe(`{"ExprMethod":{"target":${one},"name":"nth","args":[${one}]}}`);
  const send = new Send(int(1), [], false, emptyBitSet, false);
  expect(shown(Par.of({ sends: [send] }))).toBe('{"ExprUnknown":{"type_name":"Process"}}');
  expect(shown(Par.of({ sends: [send], exprs: [new GInt(1n)] }))).toBe(one);
  expect(f1r3nodeExprOf(nil)).toBeUndefined();
  expect(shown(Par.of({ unforgeables: [sysAuthToken] }))).toBe('{"ExprUnforg":{"data":"UnforgSysAuthToken"}}');
});

test("keys of maps are texts, whatever they are", () => {
  const keys = [
    parOfExpr(new GString("__proto__")),
    parOfExpr(new GBool(true)),
    parOfExpr(new GByteArray(Uint8Array.of(255))),
    parOfExpr(new GDouble(0x3ff8000000000000n)),
    Par.of({ unforgeables: [new GPrivate(Uint8Array.of(7))] }),
    Par.of({ unforgeables: [sysAuthToken] }),
    parOfExpr(new EPathMap([int(1)], emptyBitSet, false, undefined)),
    nil,
  ];
  const pairs = keys.map((key) => ({ key, value: int(1) }));
  const map = f1r3nodeExprOf(parOfExpr(new EMap(pairs, emptyBitSet, false, undefined)))!;
  const { data } = map["ExprMap"] as { readonly data: object };
  const asJson = '{"ExprList":{"data":[{"ExprInt":{"data":1}}]}}';
  expect(Object.keys(data)).toEqual(["__proto__", "true", "ff", "1.5", "07", "SysAuthToken", asJson]);
});

test("the versioned API has their kind as a member", () => {
  const tagged = (par: Par) => printJson(taggedExpr(f1r3nodeExprOf(par)!));
  const sum = parOfExpr(new EBinary("EPlus", int(1), int(1)));
  const taggedOne = '{"type":"ExprInt","data":1}';
  expect(tagged(sum)).toBe(`{"type":"ExprPlus","left":${taggedOne},"right":${taggedOne}}`);
  expect(tagged(Par.of({ bundles: [new Bundle(int(1), true, true)] }))).toBe(
    `{"type":"ExprBundle","data":${taggedOne},"read":true,"write":true}`,
  );
  expect(tagged(Par.of({ unforgeables: [sysAuthToken] }))).toBe(
    '{"type":"ExprUnforg","data":{"type":"UnforgSysAuthToken"}}',
  );
});

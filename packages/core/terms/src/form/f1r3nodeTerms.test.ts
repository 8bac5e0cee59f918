import { fromHex, toHex } from "@vedette/crypto";
import { readVectors, usualCases } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { BincodeReader } from "../bincode/BincodeReader.js";
import { GBigRational, GDouble, GFixedPoint } from "../model/numbers.js";
import { absentPar, Bundle, EPathMap, EUnary, EVar, type Expr, EZipper, nil, none, Par } from "../model/Par.js";
import {
  BindPattern,
  EmptyContinuation,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
} from "../model/Tagged.js";
import { absentVar, emptyVar, wildcard } from "../model/Var.js";
import type { ShapeName } from "../testing/shapes.js";
import { toBincode } from "../testing/toBincode.js";
import { DecodeError } from "../wire/DecodeError.js";
import {
  f1r3nodeTerms,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
} from "./f1r3nodeTerms.js";
import { rnodeTerms } from "./rnodeTerms.js";

const withExpr = (expr: Expr): Par => Par.of({ exprs: [expr] });
const random = fromHex("0102");
const noBits = new Uint8Array(0);
const pathMap = new EPathMap([nil], noBits, false, wildcard);

/** Returns the bytes of a term by the table of shapes. */
function judged(name: ShapeName, protobuf: Uint8Array): string {
  return toHex(toBincode(name, protobuf));
}

describe("a term of f1r3node's networks", () => {
  test("states which of its parts are there, also when they are empty", () => {
    const bundle = (body: Par): string =>
      toHex(f1r3nodeTerms.encodePar(Par.of({ bundles: [new Bundle(body, true, false)] })));
    expect(bundle(absentPar)).toBe("5a021001");
    expect(bundle(nil)).toBe("5a040a001001");
    expect(toHex(rnodeTerms.encodePar(Par.of({ bundles: [new Bundle(nil, true, false)] })))).toBe("5a021001");
  });

  test("keeps its indices as they came", () => {
    const bytes = fromHex("4a03000100");
    expect(toHex(f1r3nodeTerms.encodePar(f1r3nodeTerms.decodePar(bytes)))).toBe("4a03000100");
    expect(toHex(rnodeTerms.encodePar(rnodeTerms.decodePar(bytes)))).toBe("4a020001");
  });

  test.each<readonly [string, Par]>([
    ["an operand that is not there", withExpr(new EUnary("ENot", absentPar))],
    ["an empty operand", withExpr(new EUnary("ENot", nil))],
    ["a variable that is not there", withExpr(new EVar(absentVar))],
    ["a variable without a member", withExpr(new EVar(emptyVar))],
    ["a NaN with a content", withExpr(new GDouble(0xfff8_0000_0000_0001n))],
    ["a rational", withExpr(new GBigRational(fromHex("ff"), fromHex("02")))],
    ["a fixed point number", withExpr(new GFixedPoint(fromHex("0080"), 0xffff_ffff))],
    ["a zipper without a map", withExpr(new EZipper(undefined, [fromHex("01"), noBits], true, noBits, true))],
    ["a zipper", withExpr(new EZipper(pathMap, none, false, fromHex("00"), false))],
  ])("is written and read again: %s", (_, par) => {
    const bytes = f1r3nodeTerms.encodePar(par);
    expect(f1r3nodeTerms.sizeOfPar(par)).toBe(bytes.length);
    expect(toHex(f1r3nodeTerms.encodePar(f1r3nodeTerms.decodePar(bytes)))).toBe(toHex(bytes));
    const stored = f1r3nodeTerms.storedPar(par);
    expect(toHex(stored)).toBe(judged("Par", bytes));
    expect(toHex(f1r3nodeTerms.storedPar(readStoredPar(new BincodeReader(stored))))).toBe(toHex(stored));
  });

  test("has the hash of its stored bytes, the empty one too", () => {
    rnodeTerms.channelHash(nil);
    expect(toHex(f1r3nodeTerms.channelHash(f1r3nodeTerms.decodePar(fromHex("2a021000"))))).toBe(
      "73ae52050ad9ea20d8bdaf291ed83520c278ca4d0757db72a725253e11aa5bb2",
    );
    expect(f1r3nodeTerms.channelHash(nil)).toEqual(f1r3nodeTerms.channelHash(f1r3nodeTerms.decodePar(noBits)));
    expect(f1r3nodeTerms.channelHash(nil)).not.toEqual(rnodeTerms.channelHash(nil));
  });

  test("of a field that comes twice has the last value, of a message all parts", () => {
    const par = f1r3nodeTerms.decodePar(fromHex("50015000" + "5a0c0a025000" + "0a042a021002" + "1001"));
    expect(par.connectiveUsed).toBe(false);
    expect(toHex(f1r3nodeTerms.encodePar(par))).toBe("5a080a042a0210021001");
  });
});

describe("what is stored with terms", () => {
  const data = new ListParWithRandom([nil, withExpr(new EVar(wildcard))], random);
  const pattern = new BindPattern([nil], wildcard, 1);

  test("data and patterns have the sizes of their protobuf bytes, and are read again", () => {
    expect(f1r3nodeTerms.sizeOfListParWithRandom(data)).toBe(2 + 11 + 4);
    expect(f1r3nodeTerms.sizeOfBindPattern(pattern)).toBe(2 + 4 + 2);
    const stored = f1r3nodeTerms.storedListParWithRandom(data);
    expect(toHex(stored)).toBe(judged("ListParWithRandom", fromHex("0a00" + "0a092a079a01040a021a00" + "12020102")));
    expect(readStoredListParWithRandom(new BincodeReader(stored))).toMatchObject({ randomState: random });
    const patternBytes = f1r3nodeTerms.storedBindPattern(pattern);
    expect(toHex(patternBytes)).toBe(judged("BindPattern", fromHex("0a00" + "12021a00" + "1801")));
    expect(readStoredBindPattern(new BincodeReader(patternBytes)).remainder).toBe(wildcard);
  });

  test.each([
    ["a process", new ParContinuation(new ParWithRandom(nil, random)), "0a060a0012020102"],
    ["a process with a guard", new ParContinuation(new ParWithRandom(nil, random), nil), "0a060a00120201021a00"],
    ["a built-in process", new SystemContinuation(-1n), "10ffffffffffffffffff01"],
    ["one with a guard", new SystemContinuation(5n, nil), "10051a00"],
    ["nothing", emptyContinuation, ""],
    ["nothing with a guard", new EmptyContinuation(nil), "1a00"],
  ] as const)("a continuation is written and read again: %s", (_, continuation, protobuf) => {
    const stored = f1r3nodeTerms.storedContinuation(continuation);
    expect(toHex(stored)).toBe(judged("TaggedContinuation", fromHex(protobuf)));
    const again = readStoredContinuation(new BincodeReader(stored));
    expect(again.kind).toBe(continuation.kind);
    expect(toHex(f1r3nodeTerms.storedContinuation(again))).toBe(toHex(stored));
  });
});

test("bytes that are no term are refused, and terms beyond the limits or the stack", () => {
  for (const bytes of ["2a", "2a0410", "5a040a051001", "2a0a91020000", "2a031a01ff"])
    expect(() => f1r3nodeTerms.decodePar(fromHex(bytes)), bytes).toThrow(DecodeError);
  const limits = { maxSizeBytes: 100, maxNodes: 2 };
  expect(() => f1r3nodeTerms.decodePar(fromHex("2a0210002a0210002a021000"), limits)).toThrow("nodes");
  expect(() => f1r3nodeTerms.decodePar(new Uint8Array(101), limits)).toThrow("limit");
  const whole = f1r3nodeTerms.storedPar(withExpr(new EZipper(pathMap, [random], false, noBits, false)));
  for (let length = 0; length < whole.length; length += 1)
    expect(() => readStoredPar(new BincodeReader(whole.subarray(0, length)))).toThrow(DecodeError);
  // A byte that is neither false nor true, a member that does not exist, a number of elements beyond the bytes.
  expect(() => readStoredContinuation(new BincodeReader(fromHex("02")))).toThrow(DecodeError);
  expect(() => readStoredContinuation(new BincodeReader(fromHex("000105000000")))).toThrow(DecodeError);
  expect(() => readStoredPar(new BincodeReader(fromHex("ffffffffffffffff")))).toThrow(DecodeError);
  const level = `${"00".repeat(24)}01${"00".repeat(7)}010500000001`;
  expect(() => readStoredPar(new BincodeReader(fromHex(level.repeat(100_000))))).toThrow("nested too deeply");
});

interface ParseVector {
  readonly id: string;
  readonly expect: { readonly bytes?: string; readonly channelHash?: string };
}

describe("f1r3node's terms", () => {
  test("are read, written to the same bytes, stored as the table of shapes has it", () => {
    const failures: string[] = [];
    const vectors = [...readVectors<ParseVector>("f1r3node", "parse")].filter(
      (one) => one.expect.bytes !== undefined && one.expect.channelHash !== undefined,
    );
    expect(vectors).toHaveLength(2316);
    for (const { id, expect } of usualCases(vectors, 400)) {
      const bytes = fromHex(expect.bytes ?? "");
      const par = f1r3nodeTerms.decodePar(bytes);
      if (f1r3nodeTerms.sizeOfPar(par) !== bytes.length) failures.push(`${id}: size`);
      if (toHex(f1r3nodeTerms.encodePar(par)) !== expect.bytes) failures.push(`${id}: bytes`);
      if (toHex(f1r3nodeTerms.channelHash(par)) !== expect.channelHash) failures.push(`${id}: channel hash`);
      const stored = f1r3nodeTerms.storedPar(par);
      if (toHex(stored) !== judged("Par", bytes)) failures.push(`${id}: stored`);
      const reader = new BincodeReader(stored);
      if (toHex(f1r3nodeTerms.storedPar(readStoredPar(reader))) !== toHex(stored) || !reader.isAtEnd)
        failures.push(`${id}: read`);
    }
    expect(failures).toEqual([]);
  });
});

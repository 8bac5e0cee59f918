import { fromHex } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bitSetOf } from "../model/BitSet.js";
import {
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveType,
  EBinary,
  EList,
  EMap,
  EMatches,
  EMethod,
  EUnary,
  EVar,
  type Expr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  New,
  nil,
  noInjections,
  Par,
  Send,
  VarRef,
} from "../model/Par.js";
import { emptyUnforgeable, GDeployerId, GDeployId, GPrivate, sysAuthToken } from "../model/Unforgeable.js";
import { boundVar, emptyVar, freeVar, wildcard } from "../model/Var.js";
import { rnodeAtoms } from "../order/compareAtoms.js";
import { makeSet } from "../order/makeSet.js";
import { anyTerm } from "../testing/anyTerm.js";
import { decodePar } from "../wire/decode.js";
import { PrintError } from "./PrintError.js";
import { increment, PrintScope } from "./PrintScope.js";
import { printExpr, printPar, printVar } from "./printTerm.js";

const noBits = bitSetOf([]);

function par(...exprs: Expr[]): Par {
  return Par.of({ exprs });
}

function int(value: number): Par {
  return par(new GInt(BigInt(value)));
}

function text(value: string): Par {
  return par(new GString(value));
}

const bound = (index: number): Par => par(new EVar(boundVar(index)));

describe("the texts of chapter 20 §15.4", () => {
  const two = { freeShift: 0, boundShift: 2 };
  const remainder = freeVar(0);
  test.each<[Par, string, object?]>([
    [par(new EList([bound(1), bound(0), int(7)], noBits, true, remainder)), "[x0, x1, 7...free0]", two],
    [par(makeSet([bound(1), bound(0), int(7)], noBits, true, remainder, rnodeAtoms)), "Set(7, x1, x0...free0)", two],
    [
      par(
        new EMap(
          [
            { key: int(7), value: text("Seven") },
            { key: bound(1), value: bound(0) },
          ],
          noBits,
          true,
          remainder,
        ),
      ),
      '{7 : "Seven", x0 : x1...free0}',
      two,
    ],
    [Par.of({ news: [new New(3, nil, [], noInjections, noBits)] }), "new x0, x1, x2 in {\n  Nil\n}"],
    [
      Par.of({
        exprs: [new GInt(0n), new GBool(true), new GString("2"), new GUri("www.3cheese.com")],
        unforgeables: [new GPrivate(fromHex("34")), new GPrivate(fromHex("35"))],
      }),
      '0 |\ntrue |\n"2" |\n`www.3cheese.com` |\nUnforgeable(0x34) |\nUnforgeable(0x35)',
    ],
    [par(new EBinary("EPlusPlus", text("abc"), text("def"))), '("abc" ++ "def")'],
    [par(new EBinary("EMod", int(11), int(10))), "(11 % 10)"],
    [Par.of({ sends: [new Send(nil, [nil, nil], true, noBits, false)] }), "@{Nil}!!(Nil, Nil)"],
    [par(new EMatches(int(1), par(new EVar(wildcard)))), "(1 matches _)"],
  ])("%#", (term, expected, options) => {
    expect(printPar(term, options)).toBe(expected);
  });

  test("identifiers go on as a, …, z, aa, …", () => {
    let id = "a";
    for (let i = 0; i < 26; i += 1) id = increment(id);
    expect(id).toBe("aa");
    for (let i = 0; i < 26; i += 1) id = increment(id);
    expect(id).toBe("ba");
    expect(increment("zz")).toBe("aaa");
  });

  test("fifty-two patterns deep, bound variables are yx and free ones xw", () => {
    let scope = PrintScope.start({});
    for (let i = 0; i < 52; i += 1) scope = scope.inPattern(0);
    expect(scope.boundId).toBe("yx");
    expect(scope.freeName(0)).toBe("xw0");
  });
});

describe("the programs of chapter 20 §15.6", () => {
  test.each([
    [
      "12720a220a0b2a079a01040a02100050010a0b2a079a01040a021002500112042a02100020020a160a0b2a079a01040a021000500112052a031a0163200112320a2d0a0c2a079a01040a0208024a0102120c2a079a01040a0208044a0104120c2a079a01040a0208004a01012a01074a01072803",
      'for( @{x0}, @{x1} <- @{0}  & @{x2} <- @{"c"} ) {\n  @{x1}!(x0, x2)\n}',
    ],
    [
      "12c8010a6b0a2a2228080212240a1f0a0c2a079a01040a0208004a0101120c2a079a01040a0208004a01012a01014a01010a272a23a201200a0b2a079a01040a02100250010a0b2a079a01040a021004500120012a02100050010a0b2a079a01040a021006500112052a031a0163200412550a500a0c2a079a01040a0208004a0101120c2a079a01040a0208044a0104120c2a079a01040a0208024a010212212a1cc201190a066c656e677468120c2a079a01040a0208064a01082a01084a01082a010f4a010f18012804",
      'for( @{new y0 in { y0!(y0) }}, @{[x1, x2...x0]}, @{x3} <= @{"c"} ) {\n  @{x3}!(x1, x2, (x0).length())\n}',
    ],
    [
      "226e0802126a12650a380a1b42170a150a0b2a079a01040a02100050010a0642023001500150010a094204220210024a0101120c2a079a01040a0208004a0101200112240a1f0a0c2a079a01040a0208024a0102120c2a079a01040a0208004a01012a01034a010328013201014a0101",
      "new x0 in {\n  for( @{{x1 /\\ Int}}, @{=x0} <- x0 ) {\n    x0!(x1)\n  }\n}",
    ],
    [
      "225f0804125b0a1f0a0c2a079a01040a0208024a0102120c2a079a01040a0208004a01012a01030a130a0c2a079a01040a0208004a010118012a01014a01035a0e0a0c2a079a01040a0208004a01015a100a0c2a079a01040a0208024a01021001",
      "new x0, x1 in {\n  bundle0 {     *x1 } |\n  bundle+ {     *x0 } |\n  x0!(*x1) |\n  x1!!()\n}",
    ],
    [
      "326c0a232a218a011e0a102a0e5a0c0a042a02100212042a021004120a2a082a060a042a020800121d0a042a02080112150a130a052a031a0174120a2a0832060a042a02100212260a042a020800121e0a1c0a052a031a016612132a11ea010e0a052a031a016112052a031a0162",
      'match (1 < 2) && ~(false) {\n  true => {\n    @{"t"}!(-1)\n  }\n  false => {\n    @{"f"}!(("a" ++ "b"))\n  }\n}',
    ],
  ])("%#", (bytes, expected) => {
    expect(printPar(decodePar(fromHex(bytes)))).toBe(expected);
  });
});

test("parentheses are left out around what reads as an integer and what is in parentheses", () => {
  const sum = par(new EBinary("EPlus", int(1), int(2)));
  expect(printPar(par(new EBinary("EMult", sum, sum)))).toBe("(1 + 2) * (1 + 2)");
  expect(printExpr(new EUnary("ENeg", int(2147483647)))).toBe("-2147483647");
  expect(printExpr(new EUnary("ENeg", int(2147483648)))).toBe("-(2147483648)");
  expect(printExpr(new EUnary("ENot", par(new GByteArray(fromHex("0012")))))).toBe("~0012");
});

test("names, calls, connectives", () => {
  const unforgeables = [
    new GPrivate(fromHex("0a")),
    new GDeployId(fromHex("0b")),
    new GDeployerId(fromHex("0c")),
    sysAuthToken,
    emptyUnforgeable,
  ];
  expect(printPar(Par.of({ unforgeables }))).toBe(
    "Unforgeable(0x0a) |\nDeployId(0x0b) |\nDeployerId(0x0c) |\nGSysAuthTokenBody(GSysAuthToken()) |\nNil",
  );
  expect(printExpr(new EMethod("slice", text("a"), [int(1), int(2)], noBits, false))).toBe('("a").slice(1,2)');
  const connectives = [
    new ConnectiveAnd([int(1), nil]),
    new ConnectiveNot(int(2)),
    new ConnectiveType("Uri", true),
    new VarRef(0, 1),
  ];
  expect(printPar(Par.of({ connectives }))).toBe("{1 /\\ Nil} |\n~{2} |\nUri |\n=free-1");
  expect(printVar(wildcard)).toBe("_");
  expect(printVar(freeVar(3))).toBe("free3");
  expect(printVar(emptyVar)).toBe("@Nil");
});

test("at most 128 names of a new are listed", () => {
  const printed = printPar(Par.of({ news: [new New(2 ** 30, nil, [], noInjections, noBits)] }));
  expect(printed.split(" in ")[0]?.split(", ").length).toBe(128);
});

test("a text is cut at the caller's limit, with dots in any case", () => {
  expect(printPar(text("abcdef"), { trimAfter: 3 })).toBe('"ab...');
  expect(printPar(int(1), { trimAfter: 3 })).toBe("1...");
});

test("any term is printed; one nested beyond the stack is refused", () => {
  fc.assert(
    fc.property(anyTerm(), (term) => {
      expect(printPar(term)).toBeTypeOf("string");
    }),
  );
  let deep = nil;
  for (let i = 0; i < 100_000; i += 1) deep = par(new EList([deep], noBits, false, undefined));
  expect(() => printPar(deep)).toThrow(PrintError);
});

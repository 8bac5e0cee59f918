import fc from "fast-check";
import { expect, test } from "vitest";
import { bitSetOf, singleBit } from "../model/BitSet.js";
import {
  ConnectiveAnd,
  ConnectiveOr,
  EList,
  EVar,
  GInt,
  GString,
  GUri,
  New,
  nil,
  Par,
  ReceiveBind,
} from "../model/Par.js";
import { boundVar, freeVar } from "../model/Var.js";
import { sortPar } from "../order/sortPar.js";
import { anyTerm } from "../testing/anyTerm.js";
import { decodePar } from "../wire/decode.js";
import { encodePar } from "../wire/encode.js";
import { equalConnective, equalExpr, equalNew, equalPar, equalReceiveBind } from "./equal.js";
import { bytesHash, longHash, textHash } from "./murmur.js";
import { structuralHash } from "./structuralHash.js";

test("equality ignores what is free and nothing else", () => {
  const one = Par.of({ exprs: [new GInt(1n)] });
  expect(equalPar(one, Par.of({ exprs: [new GInt(1n)], locallyFree: singleBit(7) }))).toBe(true);
  expect(equalPar(one, Par.of({ exprs: [new GInt(1n)], connectiveUsed: true }))).toBe(false);
  expect(equalExpr(new GString("a"), new GUri("a"))).toBe(false);
  expect(equalExpr(new EVar(boundVar(1)), new EVar(freeVar(1)))).toBe(false);
  expect(equalConnective(new ConnectiveAnd([]), new ConnectiveOr([]))).toBe(false);
  expect(equalReceiveBind(new ReceiveBind([], nil, undefined, 0), new ReceiveBind([], nil, undefined, 1))).toBe(false);
  const named = (...urns: string[]): New => new New(1, nil, [], new Map(urns.map((urn) => [urn, one])), bitSetOf([]));
  expect(equalNew(named("a", "b"), named("a", "b"))).toBe(true);
  expect(equalNew(named("a", "b"), named("b", "a"))).toBe(false);
});

test("terms with equal bytes are equal and have equal hashes; terms with other flags or parts are not", () => {
  fc.assert(
    fc.property(anyTerm(), anyTerm(), (first, second) => {
      const [left, right] = [sortPar(first), sortPar(second)];
      const copy = decodePar(encodePar(left));
      expect(equalPar(left, copy)).toBe(true);
      expect(structuralHash(left)).toBe(structuralHash(copy));
      const isEqual = equalPar(left, right);
      expect(equalPar(right, left)).toBe(isEqual);
      if (isEqual) expect(structuralHash(left)).toBe(structuralHash(right));
      else expect(encodePar(left)).not.toEqual(encodePar(right));
    }),
    { numRuns: 300 },
  );
});

test("plain values have the hashes of the JVM", () => {
  expect(textHash("Seq")).toBe(83007);
  expect(textHash("polygenelubricants")).toBe(-(2 ** 31));
  expect(longHash(-1n)).toBe(-1);
  expect(longHash(2n ** 31n)).toBe(-(2 ** 31));
  expect(longHash(2n ** 32n)).toBe(1);
  expect(longHash(-(2n ** 63n))).toBe(-(2 ** 31));
  expect(bytesHash(new Uint8Array(0))).toBe(1);
  expect(bytesHash(Uint8Array.of(1, 255))).toBe(2 * 31 * 31 + 31 - 1);
});

test("a list's flags on free variables and patterns are compared too", () => {
  expect(equalExpr(new EList([], bitSetOf([]), true, undefined), new EList([], bitSetOf([]), false, undefined))).toBe(
    false,
  );
});

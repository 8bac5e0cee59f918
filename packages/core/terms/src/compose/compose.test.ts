import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalPar } from "../identity/equal.js";
import { bitMembers, bitSetOf, bitsBelow, emptyBitSet, shiftBitsDown, singleBit, unionBits } from "../model/BitSet.js";
import { Bundle, ConnectiveType, EBinary, EMatches, EVar, GInt, Match, nil, Par, Send, VarRef } from "../model/Par.js";
import { boundVar, freeVar, wildcard } from "../model/Var.js";
import { anyTerm } from "../testing/anyTerm.js";
import { encodePar } from "../wire/encode.js";
import { ParBuilder } from "./ParBuilder.js";
import { parOfExpr } from "./parOf.js";

const variable = new EVar(boundVar(2));
const send = new Send(nil, [], false, singleBit(1), true);

test("in a composition the terms from the right come first; flags are united", () => {
  const left = Par.of({ exprs: [new GInt(1n)], locallyFree: singleBit(0) });
  const right = Par.of({ exprs: [new GInt(2n), new GInt(3n)], locallyFree: singleBit(9), connectiveUsed: true });
  const both = parOf((builder) => {
    builder.append(left);
    builder.append(right);
  });
  expect(both.exprs).toEqual([new GInt(2n), new GInt(3n), new GInt(1n)]);
  expect(bitMembers(both.locallyFree)).toEqual([0, 9]);
  expect(both.connectiveUsed).toBe(true);
});

describe("the flags of a component in the Par", () => {
  test("a bound variable counts outside patterns alone", () => {
    expect(bitMembers(parOfExpr(variable).locallyFree)).toEqual([2]);
    expect(parOfExpr(variable, 1).locallyFree.length).toBe(0);
    expect(parOfExpr(variable).connectiveUsed).toBe(false);
    expect(parOfExpr(new EVar(freeVar(0))).connectiveUsed).toBe(true);
    expect(parOfExpr(new EVar(wildcard)).connectiveUsed).toBe(true);
  });

  test("operators unite their operands; of `matches` the pattern does not mark it", () => {
    const left = parOfExpr(new EVar(boundVar(1)));
    const right = Par.of({ locallyFree: singleBit(3), connectiveUsed: true });
    const sum = parOfExpr(new EBinary("EPlus", left, right));
    expect(bitMembers(sum.locallyFree)).toEqual([1, 3]);
    expect(sum.connectiveUsed).toBe(true);
    const matches = parOfExpr(new EMatches(left, right));
    expect(bitMembers(matches.locallyFree)).toEqual([1, 3]);
    expect(matches.connectiveUsed).toBe(false);
  });

  test("a bundle hides that its body is a pattern", () => {
    const body = Par.of({ locallyFree: singleBit(4), connectiveUsed: true });
    const bundled = parOf((builder) => builder.addBundle(new Bundle(body, true, true)));
    expect(bundled.connectiveUsed).toBe(false);
    expect(bitMembers(bundled.locallyFree)).toEqual([4]);
  });

  test("a connective discards what was free before it", () => {
    const typed = parOf((builder) => {
      builder.addSend(send);
      builder.addConnective(new ConnectiveType("Int", true), emptyBitSet, true);
    });
    expect(typed.locallyFree.length).toBe(0);
    expect(typed.connectiveUsed).toBe(true);
    const reference = parOf((builder) => {
      builder.addExpr(variable, singleBit(2), false);
      builder.addConnective(new VarRef(5, 1), singleBit(5), false);
      builder.addBundle(new Bundle(Par.of({ locallyFree: singleBit(7) }), true, true));
    });
    expect(bitMembers(reference.locallyFree)).toEqual([5, 7]);
    expect(reference.connectiveUsed).toBe(false);
  });
});

describe("the builder", () => {
  test("composes as one after another would be composed", () => {
    fc.assert(
      fc.property(anyTerm(2), anyTerm(2), anyTerm(2), (first, second, third) => {
        const built = parOf((builder) => {
          builder.append(first);
          builder.append(second);
          builder.addSend(send);
          builder.addExpr(variable, singleBit(2), false);
          builder.append(third);
        });
        const sendPar = Par.of({ sends: [send], locallyFree: send.locallyFree, connectiveUsed: true });
        const stepwise = [first, second, sendPar, parOfExpr(variable), third].reduce(composed, nil);
        expect(encodePar(built)).toEqual(encodePar(stepwise));
        expect(equalPar(built, stepwise)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("puts each part in front, but an `if` behind all matches", () => {
    const [one, two, three, four] = [1n, 2n, 3n, 4n].map((n) => matchOf(n));
    const built = parOf((builder) => {
      builder.addMatchLast(one!);
      builder.addMatch(two!);
      builder.addMatchLast(three!);
      builder.addMatch(four!);
    });
    expect(built.matches).toEqual([four, two, one, three]);
  });

  test("of nothing makes Nil itself", () => {
    expect(parOf(() => {})).toBe(nil);
    expect(parOf((builder) => builder.append(nil))).toBe(nil);
  });
});

function parOf(collect: (builder: ParBuilder) => void): Par {
  const builder = new ParBuilder();
  collect(builder);
  return builder.build();
}

function composed(left: Par, right: Par): Par {
  return new Par(
    [...right.sends, ...left.sends],
    [...right.receives, ...left.receives],
    [...right.news, ...left.news],
    [...right.exprs, ...left.exprs],
    [...right.matches, ...left.matches],
    [...right.unforgeables, ...left.unforgeables],
    [...right.bundles, ...left.bundles],
    [...right.connectives, ...left.connectives],
    unionBits(left.locallyFree, right.locallyFree),
    left.connectiveUsed || right.connectiveUsed,
  );
}

function matchOf(target: bigint): Match {
  return new Match(parOfExpr(new GInt(target)), [], emptyBitSet, false);
}

test("sets of indices behave as sets of numbers", () => {
  const members = fc.uniqueArray(fc.nat(40));
  fc.assert(
    fc.property(members, members, fc.nat(45), (first, second, limit) => {
      const ascending = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);
      const [left, right] = [bitSetOf(first), bitSetOf(second)];
      expect(bitMembers(unionBits(left, right))).toEqual(ascending([...first, ...second]));
      expect(bitMembers(bitsBelow(left, limit))).toEqual(ascending(first.filter((member) => member < limit)));
      const shifted = first.filter((member) => member >= limit).map((member) => member - limit);
      expect(bitMembers(shiftBitsDown(left, limit))).toEqual(ascending(shifted));
      for (const set of [left, unionBits(left, right), bitsBelow(left, limit), shiftBitsDown(left, limit)])
        expect(set.at(-1)).not.toBe(0);
    }),
  );
  expect(singleBit(63)).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 128));
});

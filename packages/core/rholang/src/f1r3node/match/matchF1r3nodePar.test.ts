import { BindPattern, ListParWithRandom, type Par, printF1r3nodePar, TermLimitError, wildcard } from "@vedette/terms";
import { expect, test } from "vitest";
import { f1r3nodeGrammar } from "../f1r3nodeGrammar.js";
import { f1r3nodeSubsets } from "./f1r3nodeSubsets.js";
import { matchF1r3nodeDatum, matchF1r3nodePar } from "./matchF1r3nodePar.js";

/** Values by level of what `pattern` binds in `target`. */
function bound(target: string, pattern: string, unbound = ""): string[] | undefined {
  const [match] = f1r3nodeGrammar.compile(`match ${target} { ${pattern} => Nil ${unbound} }`).matches;
  const captures = matchF1r3nodePar(match!.target, match!.cases[0]!.pattern);
  return (
    captures && [...captures].sort(([a], [b]) => a - b).map(([level, value]) => `${level} ${printF1r3nodePar(value)}`)
  );
}

test.each([
  ["a remainder takes what is left over", "[1, 2, 3]", "[1 ...x]", ["0 [2, 3]"]],
  ["what is equal leaks into it", "{1 | 1}", "{1 | x}", ["0 1 |\n1"]],
  ["conditionals are not looked at", "{1 | if (true) 2}", "1", []],
  ["nor captured", "{1 | if (true) 2}", "x", ["0 1"]],
  ["a place is given up for another", "Set([1, 2], [1, 3])", "Set([1, x], [y, 2])", ["0 3", "1 1"]],
  ["what a negation captured stays", "[1, 2]", "[~{x /\\ 2}, 2]", ["0 1"]],
  ["a disjunction captures nothing", "[1, 2]", "[{2 \\/ x}, 2]", []],
  ["a connective is never taken back", "{1 | 2 | 3}", "{{~1} | x}", ["0 1 |\n2 |\n3"]],
  ["lengths decide", "[1, 2]", "[x]", undefined],
])("%s", (_, target, pattern, expected) => {
  expect(bound(target, pattern)).toEqual(expected);
});

test("a datum has one value for each variable, Nil where it was not bound", () => {
  const one = f1r3nodeGrammar.compile("1");
  const [receive] = f1r3nodeGrammar.compile("for (@{x | y} <- @0) { Nil }").receives;
  const { patterns, freeCount } = receive!.binds[0]!;
  const data = (pars: readonly Par[]) => new ListParWithRandom(pars, Uint8Array.of(1));
  const matched = matchF1r3nodeDatum(new BindPattern(patterns, undefined, freeCount), data([one]));
  expect(matched?.pars.map((par) => printF1r3nodePar(par))).toEqual(["1", "Nil"]);
  expect(matched?.randomState).toEqual(Uint8Array.of(1));
  expect(matchF1r3nodeDatum(new BindPattern(patterns, undefined, freeCount), data([one, one]))).toBeUndefined();
  expect(matchF1r3nodeDatum(new BindPattern(patterns, wildcard, freeCount), data([one, one]))?.pars).toHaveLength(2);
});

test("an element that could be here or there is in both parts", () => {
  const shown = (low: number, high: number): string[] => {
    const subsets = f1r3nodeSubsets(["a", "b", "c"], low, high, undefined);
    return Array.from({ length: subsets.count }, (_, i) => {
      const { chosen, others } = subsets.at(i);
      return `${chosen.join("")}-${others.join("")}`;
    });
  };
  expect(shown(0, 0)).toEqual(["-abc"]);
  expect(shown(2, 1)).toEqual([]);
  expect(shown(4, 9)).toEqual([]);
  expect(shown(1, 1)).toEqual(["a-bc", "b-ac", "c-ab"]);
  expect(shown(0, 3)).toEqual(["-abc", "a-bc", "ab-ac", "ab-ac", "abc-ab", "abc-ab", "abc-ab", "abc-ab"]);
  expect(shown(1, 2)).toEqual(["a-bc", "ab-ac", "ab-ac", "abc-ab", "abc-ab", "bc-ab"]);
});

test("too many ways are refused before they fill the memory, which is looked at meanwhile", () => {
  const many = Array.from({ length: 60 }, (_, i) => i);
  expect(() => f1r3nodeSubsets(many, 0, 60, undefined, 1_000)).toThrow(TermLimitError);
  let units = 0;
  const meter = {
    tick(more: number) {
      units += more;
      if (units > 100_000) throw new RangeError("no more");
    },
  };
  expect(() => f1r3nodeSubsets(many, 0, 60, meter)).toThrow("no more");
});

test("a meter sees every way, and may end the match", () => {
  const many = Array.from({ length: 60 }, (_, i) => String(i)).join("|");
  const [match] = f1r3nodeGrammar.compile(`match {${many}} { {{~1} | {~2}} => Nil }`).matches;
  let left = 10_000;
  const meter = {
    tick(units: number): void {
      left -= units;
      if (left < 0) throw new Error("enough");
    },
  };
  expect(() => matchF1r3nodePar(match!.target, match!.cases[0]!.pattern, meter)).toThrow("enough");
});

test("many elements need no stack", () => {
  const many = Array.from({ length: 3_000 }, (_, i) => `[${i}]`).join(",");
  expect(bound(`Set(${many})`, "Set([2999] ...x)")).toHaveLength(1);
});

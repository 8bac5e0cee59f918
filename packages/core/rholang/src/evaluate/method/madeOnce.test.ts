import { EList, EMap, ETuple, type Expr, emptyBitSet, GInt, Par } from "@vedette/terms";
import { expect, test } from "vitest";
import { F1r3nodeEvaluator } from "../../f1r3node/expression/F1r3nodeEvaluator.js";
import { f1r3nodeMethods } from "../../f1r3node/method/f1r3nodeMethods.js";
import { Environment } from "../Environment.js";
import { Evaluator } from "../expression/Evaluator.js";

const par = (expr: Expr): Par => Par.of({ exprs: [expr] });
const int = (value: number): Par => par(new GInt(BigInt(value)));
const count = 1_000;
const numbers = Array.from({ length: count }, (_, at) => int(at));

/** A list that counts how many of its items are looked at. */
function counting<T>(items: readonly T[]): { readonly list: readonly T[]; readonly looks: () => number } {
  let looked = 0;
  const list = new Proxy(items, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) looked += 1;
      return Reflect.get(target, key);
    },
  });
  return { list, looks: () => looked };
}

test.each([
  ["rnode", new Evaluator(Environment.empty, { charge() {} })],
  ["f1r3node", new F1r3nodeEvaluator(Environment.empty, { charge() {} })],
] as const)("what does not cost more of a large collection looks through it once: %s", (_, evaluator) => {
  const pairs = numbers.map((number) => par(new ETuple([number, number], emptyBitSet, false)));
  const calls: readonly (readonly [Expr, ReturnType<typeof counting>, string, readonly Par[]])[] = [
    ...["nth", "length", "toSet"].map((method) => {
      const items = counting(numbers);
      const list = new EList(items.list, emptyBitSet, false, undefined);
      return [list, items, method, method === "nth" ? [int(7)] : []] as const;
    }),
    ...["get", "contains", "keys"].map((method) => {
      const items = counting(numbers.map((key) => ({ key, value: key })));
      const map = new EMap(items.list, emptyBitSet, false, undefined);
      return [map, items, method, method === "keys" ? [] : [int(7)]] as const;
    }),
    ...["toMap"].map((method) => {
      const items = counting(pairs);
      return [new EList(items.list, emptyBitSet, false, undefined), items, method, []] as const;
    }),
  ];
  for (const [base, { looks }, method, args] of calls) {
    const target = par(base);
    const call = (): unknown =>
      evaluator instanceof Evaluator
        ? evaluator.callMethod(method, target, args)
        : f1r3nodeMethods.get(method)!(evaluator, target, args);
    call();
    const first = looks();
    for (let again = 0; again < 10; again += 1) call();
    expect([method, looks() - first < count]).toEqual([method, true]);
  }
});

test("f1r3node: a large collection is looked through once, in whatever terms it comes", () => {
  const { list, looks } = counting(numbers);
  const base = new EList(list, emptyBitSet, false, undefined);
  const evaluator = new F1r3nodeEvaluator(Environment.empty, { charge() {} });
  // A value is put into a body with the set of variables that was there, cut to zeros.
  const evaluated = (): Expr =>
    evaluator.single(evaluator.par(Par.of({ exprs: [base], locallyFree: Uint8Array.of(0) })));
  expect(evaluated()).toBe(base);
  const first = looks();
  for (let again = 0; again < 10; again += 1) evaluated();
  expect(looks()).toBe(first);
});

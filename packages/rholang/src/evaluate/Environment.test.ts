import { GInt, nil, Par } from "@vedette/terms";
import { expect, test } from "vitest";
import { Environment } from "./Environment.js";

const value = (number: number): Par => Par.of({ exprs: [new GInt(BigInt(number))] });

test("index 0 is the value put last", () => {
  const one = value(1);
  const two = value(2);
  const environment = Environment.empty.put(one).put(two);
  expect(environment.get(0)).toBe(two);
  expect(environment.get(1)).toBe(one);
  expect(environment.get(2)).toBeUndefined();
  expect(environment.get(-1)).toBeUndefined();
});

test("a shift hides the innermost indices and moves the values up", () => {
  const one = value(1);
  const environment = Environment.of([one]).shifted(2);
  expect(environment.get(0)).toBeUndefined();
  expect(environment.get(1)).toBeUndefined();
  expect(environment.get(2)).toBe(one);
  expect(environment.get(3)).toBeUndefined();
});

test("branches that grow out of one environment do not see each other's values", () => {
  const root = Environment.empty.put(nil);
  const left = root.putAll([value(1), value(2)]);
  const right = root.putAll([value(3)]);
  const deeper = left.put(value(4));
  expect([left.get(0), left.get(1), left.get(2)]).toEqual([value(2), value(1), nil]);
  expect([right.get(0), right.get(1), right.get(2)]).toEqual([value(3), nil, undefined]);
  expect([deeper.get(0), deeper.get(3)]).toEqual([value(4), nil]);
  expect(root.get(0)).toBe(nil);
  expect(root.get(1)).toBeUndefined();
});

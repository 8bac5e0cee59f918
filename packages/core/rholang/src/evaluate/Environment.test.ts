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

test("values that are made later are made once, at their first use", () => {
  const made: number[] = [];
  const make = (place: number): Par => {
    made.push(place);
    return value(100 + place);
  };
  const root = Environment.empty.put(value(1)).putLater(3, make).put(value(2));
  const left = root.putLater(2, (place) => value(200 + place));
  const right = root.put(value(3));
  expect(made).toEqual([]);
  expect([left.get(0), left.get(1)]).toEqual([value(201), value(200)]);
  expect([left.get(4), right.shifted(2).get(5)]).toEqual([value(101), value(101)]);
  expect(right.get(3)).toBe(left.get(4));
  expect([root.get(0), root.get(4), root.get(5)]).toEqual([value(2), value(1), undefined]);
  expect(made).toEqual([1]);
});

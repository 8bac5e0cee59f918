import { GInt, GString, ListParWithRandom, type Par } from "@vedette/terms";
import { expect, test } from "vitest";
import { f1r3nodeGrammar } from "../f1r3nodeGrammar.js";
import { parOf } from "../parOf.js";
import { receiveGuardHolds } from "./evalGuard.js";

const noState = new Uint8Array(536);
const seven = parOf(new GInt(7n));
const text = parOf(new GString("a"));

/** The guard of `for (@x, @y <- @0 where …)`, for two values. */
function holds(guard: string, values: readonly Par[] = [seven, text]): boolean {
  const { receives } = f1r3nodeGrammar.compile(`for (@x, @y <- @0 where ${guard}) { Nil }`);
  return receiveGuardHolds(receives[0]!.condition!, [new ListParWithRandom(values, noState)]);
}

test.each([
  'x == 7 and y == "a"',
  "not (x < 7)",
  "x * 2 - 4 == 10 and x % 4 == 3 and -x < 0",
  'y <= "b"',
  "[1, 2] == [1, 2]",
  "true or false",
])("%s holds", (guard) => {
  expect(holds(guard)).toBe(true);
});

test.each([
  "x == 8",
  "x",
  "x / 0 == 0",
  "x + 9223372036854775807 > 0",
  "x < y",
  'y ++ "b" == "ab"',
  "y.length() == 1",
  "x matches Int",
  "true or (x < y)",
])("%s does not", (guard) => {
  expect(holds(guard)).toBe(false);
});

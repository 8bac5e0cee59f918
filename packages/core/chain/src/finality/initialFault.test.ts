import { hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { initialFault } from "./initialFault.js";

const recordsOf = (...names: readonly string[]) => ({
  records: () =>
    names.map((name, baseSequenceNumber) => {
      const validator = validatorKey(name);
      return { validator, validatorKey: hashKey(validator), baseSequenceNumber };
    }),
});

function faultOf(bonds: Readonly<Record<string, number>>, ...equivocators: readonly string[]): number {
  const made = new TestDag({ a: 3, b: 1, c: 1, d: 1 });
  const { genesis } = made;
  const block = made.add({ creator: "a", parents: [genesis], justifications: { a: genesis }, bonds });
  return initialFault(recordsOf(...equivocators), made.dag.require(block.hash));
}

test("equivocators weigh what they have by the bonds of the block itself", () => {
  expect(faultOf({ a: 3, b: 1, c: 1, d: 1 })).toBe(0);
  expect(faultOf({ a: 3, b: 1, c: 1, d: 1 }, "a")).toBe(0.5);
  expect(faultOf({ a: 3, b: 1, c: 1, d: 1 }, "stranger")).toBe(0);
  // The block slashes: its parent's bonds would give a half.
  expect(faultOf({ a: 0, b: 1, c: 1, d: 1 }, "a")).toBe(0);
  expect(faultOf({ b: 1, c: 1, d: 1 }, "a")).toBe(0);
});

test("a validator that equivocated twice counts once, as do several with equal stakes", () => {
  const bonds = { a: 3, b: 1, c: 1, d: 1 };
  expect(faultOf(bonds, "a", "a")).toBe(0.5);
  expect(faultOf(bonds, "b", "c", "d")).toBe(Math.fround(1 / 6));
  expect(faultOf(bonds, "a", "b", "c")).toBe(Math.fround(4 / 6));
});

test("there is no share of nothing", () => {
  expect(faultOf({ a: 0, b: 0 }, "a")).toBeNaN();
  expect(faultOf({})).toBeNaN();
});

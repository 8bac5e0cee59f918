import { expect, test } from "vitest";
import { commonBits, idOfAddress } from "./distance.js";

const id = (digits: string) => digits.padEnd(40, "0");

test("two names are as near as they have first bits in common", () => {
  expect(commonBits(id("8"), id("0"))).toBe(0);
  expect(commonBits(id("4"), id("0"))).toBe(1);
  expect(commonBits(id("1"), id("0"))).toBe(3);
  expect(commonBits(id("f08"), id("f00"))).toBe(8);
  expect(commonBits(id("f"), id("f"))).toBe(160);
  expect(commonBits("x", id("f"))).toBeUndefined();
});

test("an address has the name in front of its host", () => {
  expect(idOfAddress(`rnode://${id("ab")}@10.0.0.1?protocol=40400&discovery=40404`)).toBe(id("ab"));
  expect(idOfAddress("somewhere")).toBeUndefined();
});

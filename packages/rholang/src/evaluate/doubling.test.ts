import { expect, test } from "vitest";
import { doubling, outcomeOf, tooLarge, tooMany } from "../testing/doubling.js";

test("terms that double with every step end long before they take the machine's memory, whatever the phlo", () => {
  expect(outcomeOf(doubling('"0123456789abcdef".hexToBytes()', "x ++ x"))).toMatch(tooLarge);
  expect(outcomeOf(doubling("[1]", "[x, x]"))).toMatch(tooLarge);
  expect(outcomeOf(doubling("[Nil]", "x ++ x"))).toMatch(tooMany);
});

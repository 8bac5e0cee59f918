import { expect, test } from "vitest";
import { doubling, outcomeOf, tooLarge, tooMany } from "../testing/doubling.js";

const tooLong = /^A text would be longer than the limit of 67108864 characters$/;

test.each([
  ["bytes", doubling('"0123456789abcdef".hexToBytes()', "x ++ x"), tooLarge],
  ["nested lists", doubling("[1]", "[x, x]"), tooLarge],
  ["lists", doubling("[Nil]", "x ++ x"), tooMany],
  ["texts", doubling('"12345678"', "x ++ x"), tooLong],
  ["filled-in texts", doubling('"12345678"', '"$' + "{x}$" + '{x}" %% {"x": x}'), tooLong],
  ["nested maps", doubling("1", "{1: x, 2: x}"), tooLarge],
  ["encodings", doubling("[1]", "[x.toByteArray(), x.toByteArray()]"), tooLarge],
  ["processes", doubling("{@0!()}", "{x | x}"), tooMany],
])("doubling of %s ends long before it takes the machine's memory", (_, source, message) => {
  expect(outcomeOf(source)).toMatch(message);
});

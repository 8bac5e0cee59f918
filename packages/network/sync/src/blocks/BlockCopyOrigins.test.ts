import { expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { BlockCopyOrigins } from "./BlockCopyOrigins.js";

const hash = testHash("block");

test("a copy is a second one only after another was refused", () => {
  const copies = new BlockCopyOrigins();
  copies.received(hash, "one");
  expect([copies.isSecond(hash), copies.senderOf(hash)]).toEqual([false, "one"]);
  copies.refused(hash);
  expect(copies.isSecond(hash)).toBe(false);
  copies.received(hash, "other");
  expect([copies.isSecond(hash), copies.senderOf(hash)]).toEqual([true, "other"]);
});

test("a recorded block is forgotten", () => {
  const copies = new BlockCopyOrigins();
  copies.refused(hash);
  copies.settled(hash);
  copies.received(hash, "one");
  expect(copies.isSecond(hash)).toBe(false);
});

test("what floods it makes it forget, not grow", () => {
  const copies = new BlockCopyOrigins();
  copies.received(hash, "one");
  for (let i = 0; i < 20_000; i++) copies.received(testHash(String(i)), "other");
  expect(copies.senderOf(hash)).toBeUndefined();
});

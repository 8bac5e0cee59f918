import { blake2b256 } from "@vedette/crypto";
import { expect, test } from "vitest";
import { HashMismatchTracker } from "./HashMismatchTracker.js";

const hash = (text: string) => blake2b256(new TextEncoder().encode(text));

test("a wrong content is taken when it has come four times in a row", () => {
  const copies = new HashMismatchTracker();
  const answers = ["a", "a", "a", "a"].map((content) => copies.note(hash("block"), hash(content)));
  expect(answers).toEqual([false, false, false, true]);
});

test("contents that differ each time are never taken", () => {
  const copies = new HashMismatchTracker();
  const answers = ["a", "b", "a", "b", "a", "b", "a"].map((content) => copies.note(hash("block"), hash(content)));
  expect(answers).not.toContain(true);
});

test("what floods it makes it forget, not grow", () => {
  const copies = new HashMismatchTracker();
  for (let i = 0; i < 3; i += 1) copies.note(hash("block"), hash("a"));
  for (let i = 0; i < 1_000; i += 1) copies.note(hash(`other ${i}`), hash("a"));
  expect(copies.note(hash("block"), hash("a"))).toBe(false);
});

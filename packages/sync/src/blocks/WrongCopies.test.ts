import { blake2b256 } from "@vedette/crypto";
import { expect, test } from "vitest";
import { WrongCopies } from "./WrongCopies.js";

const hash = (text: string) => blake2b256(new TextEncoder().encode(text));

test("a wrong content is taken when it has come four times in a row", () => {
  const copies = new WrongCopies();
  const answers = ["a", "a", "a", "a"].map((content) => copies.note(hash("block"), hash(content)));
  expect(answers).toEqual([false, false, false, true]);
});

test("contents that differ convince nobody", () => {
  const copies = new WrongCopies();
  const answers = ["a", "b", "a", "b", "a", "b", "a"].map((content) => copies.note(hash("block"), hash(content)));
  expect(answers).not.toContain(true);
});

test("what floods it makes it forget, not grow", () => {
  const copies = new WrongCopies();
  for (let i = 0; i < 3; i += 1) copies.note(hash("block"), hash("a"));
  for (let i = 0; i < 1_000; i += 1) copies.note(hash(`other ${i}`), hash("a"));
  expect(copies.note(hash("block"), hash("a"))).toBe(false);
});

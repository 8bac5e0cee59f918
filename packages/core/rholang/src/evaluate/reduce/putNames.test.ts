import { F1r3nodeRandom, type Random, type RandomForm, SplittableRandom, toHex } from "@vedette/crypto";
import { describe, expect, test, vi } from "vitest";
import { Environment } from "../Environment.js";
import { putNames } from "./putNames.js";

function checkNames<Generator extends Random<Generator>>(form: RandomForm<Generator>, count: number, drawn: number) {
  const one = form.fromSeed(Uint8Array.of(1));
  for (let i = 0; i < drawn; i += 1) one.next();
  const random = one.fork();
  const expected = Array.from({ length: count }, () => toHex(one.next()));
  const env = putNames(Environment.empty, count, random);
  expect(toHex(random.toBytes())).toBe(toHex(one.toBytes()));
  const names = expected.map((_, place) => env.get(count - 1 - place)?.unforgeables[0]);
  expect(names.map((name) => name?.kind === "GPrivate" && toHex(name.id))).toEqual(expected);
}

describe.each([
  ["rnode", SplittableRandom],
  ["the newer node", F1r3nodeRandom],
] as const)("names of a `new` on networks of %s", (_, form) => {
  test.each([1, 8, 9, 10, 300])("are drawn one after the other, be there %i", (count) => {
    for (const drawn of [0, 1, 2]) checkNames<never>(form as never, count, drawn);
  });

  test("are made at their first use, if there are many", () => {
    const next = vi.spyOn(form.prototype, "next");
    const random = form.fromSeed(Uint8Array.of(1));
    const env = putNames<never>(Environment.empty, 100_000, random as never);
    for (let i = 0; i < 3; i += 1) env.get(77_777);
    expect(next.mock.calls.length).toBeLessThan(8);
    next.mockRestore();
  });
});

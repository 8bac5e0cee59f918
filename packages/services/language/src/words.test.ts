import { f1r3nodeMethodArities, f1r3nodeSystemChannels, methods, systemChannels } from "@vedette/rholang";
import { describe, expect, test } from "vitest";
import { f1r3nodeLanguage, rnodeLanguage } from "./Language.js";

const tagOfMerges = "rho:system:bitmaskMergeableTag";

describe.each([
  ["of rnode", rnodeLanguage, methods, [...systemChannels.keys()]],
  ["of the newer node", f1r3nodeLanguage, f1r3nodeMethodArities, [...f1r3nodeSystemChannels.keys(), tagOfMerges]],
] as const)("the words %s", (_, { methods: described, words, hasChannel }, arities, channels) => {
  test("are those of every channel of the system", () => {
    expect([...words.channels.keys()].sort()).toEqual([...channels].sort());
    expect(channels.filter((urn) => !hasChannel(urn))).toEqual([]);
  });

  test("are those of every method, and show as many arguments as it takes", () => {
    expect(new Map([...described].sort())).toEqual(new Map([...arities].sort()));
    for (const [name, text] of words.methods) expect(text).toMatch(new RegExp(`^\`${name}\\([a-z, ]*\\)\`: .`));
  });
});

test("methods of f1r3node are those of rnode and more", () => {
  for (const [name, arity] of rnodeLanguage.methods)
    expect([name, f1r3nodeMethodArities.get(name)]).toEqual([name, arity]);
});

test("channels that either node alone has are those of its language alone", () => {
  const heldBy = (urn: string) => [rnodeLanguage.hasChannel(urn), f1r3nodeLanguage.hasChannel(urn)];
  expect(heldBy("rho:asi:address")).toEqual([true, false]);
  expect(heldBy("rho:vault:address")).toEqual([false, true]);
  expect(heldBy("rho:rchain:deployId")).toEqual([true, true]);
  expect(heldBy("rho:system:deployId")).toEqual([false, true]);
  expect(heldBy("rho:lib:1.0.0:04ab:project:1.2.0")).toEqual([false, true]);
  expect(heldBy("rho:io:stdOut")).toEqual([false, false]);
});

import { methods, rustMethodArities, rustSystemChannels, systemChannels } from "@vedette/rholang";
import { describe, expect, test } from "vitest";
import { rustLanguage, scalaLanguage } from "./Language.js";

const tagOfMerges = "rho:system:bitmaskMergeableTag";

describe.each([
  ["of the reference node", scalaLanguage, methods, [...systemChannels.keys()]],
  ["of the newer node", rustLanguage, rustMethodArities, [...rustSystemChannels.keys(), tagOfMerges]],
] as const)("the words %s", (_, { methods: told, words, hasChannel }, arities, channels) => {
  test("are those of every channel of the system", () => {
    expect([...words.channels.keys()].sort()).toEqual([...channels].sort());
    expect(channels.filter((urn) => !hasChannel(urn))).toEqual([]);
  });

  test("are those of every method, and show as many arguments as it takes", () => {
    expect(new Map([...told].sort())).toEqual(new Map([...arities].sort()));
    for (const [name, text] of words.methods) expect(text).toMatch(new RegExp(`^\`${name}\\([a-z, ]*\\)\`: .`));
  });
});

test("methods of the newer node are those of the reference node and more", () => {
  for (const [name, arity] of scalaLanguage.methods) expect([name, rustMethodArities.get(name)]).toEqual([name, arity]);
});

test("channels that either node alone has are those of its language alone", () => {
  const heldBy = (urn: string) => [scalaLanguage.hasChannel(urn), rustLanguage.hasChannel(urn)];
  expect(heldBy("rho:asi:address")).toEqual([true, false]);
  expect(heldBy("rho:vault:address")).toEqual([false, true]);
  expect(heldBy("rho:rchain:deployId")).toEqual([true, true]);
  expect(heldBy("rho:system:deployId")).toEqual([false, true]);
  expect(heldBy("rho:lib:1.0.0:04ab:project:1.2.0")).toEqual([false, true]);
  expect(heldBy("rho:io:stdOut")).toEqual([false, false]);
});

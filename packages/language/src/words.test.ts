import { rustMethodArities, rustSystemChannels, systemChannels } from "@vedette/rholang";
import { describe, expect, test } from "vitest";
import { rustLanguage, scalaLanguage } from "./Language.js";

const tagOfMerges = "rho:system:bitmaskMergeableTag";

describe.each([
  ["of the reference node", scalaLanguage, [...systemChannels.keys()]],
  ["of the newer node", rustLanguage, [...rustSystemChannels.keys(), tagOfMerges]],
] as const)("the words %s", (_, { methods, words, hasChannel }, channels) => {
  test("are told for every method and every channel of the system", () => {
    expect([...words.methods.keys()].sort()).toEqual([...methods.keys()].sort());
    expect([...words.channels.keys()].sort()).toEqual([...channels].sort());
    expect(channels.filter((urn) => !hasChannel(urn))).toEqual([]);
  });

  test("show as many arguments of a method as it takes", () => {
    for (const [name, text] of words.methods) {
      const [, args] = /^`\w+\((.*?)\)`/.exec(text)!;
      expect(args === "" ? 0 : args!.split(", ").length, name).toBe(methods.get(name));
    }
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

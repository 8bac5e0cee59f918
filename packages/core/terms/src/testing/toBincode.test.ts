import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import { readVectors } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import type { ShapeName } from "./shapes.js";
import { toBincode } from "./toBincode.js";

interface ParseVector {
  readonly id: string;
  readonly expect: { readonly bytes?: string; readonly channelHash?: string };
}

const bincode = (name: ShapeName, bytes: string): string => toHex(toBincode(name, fromHex(bytes)));
const zeros = (count: number): string => "00".repeat(count);
const count = (number: number): string => number.toString(16).padStart(2, "0") + zeros(7);

describe("bincode of small terms", () => {
  test("the empty process is nine empty lists, no indices, no connective", () => {
    expect(bincode("Par", "")).toBe(zeros(9 * 8 + 8 + 1));
  });

  test("a value is a member with its number; integers have 64 bits", () => {
    const par = (expr: string): string => zeros(24) + count(1) + expr + zeros(5 * 8 + 8 + 1);
    expect(bincode("Par", "2a021001")).toBe(par(`0101000000${"ff".repeat(8)}`));
    expect(bincode("Par", "2a031a0161")).toBe(par(`0102000000${count(1)}61`));
  });

  test("the channel 0 has its known hash", () => {
    expect(toHex(blake2b256(toBincode("Par", fromHex("2a021000"))))).toBe(
      "73ae52050ad9ea20d8bdaf291ed83520c278ca4d0757db72a725253e11aa5bb2",
    );
  });

  test("an empty message that is there differs from one that is not", () => {
    expect(bincode("Bundle", "")).toBe("000000");
    expect(bincode("Bundle", "0a00")).toBe(`01${zeros(81)}0000`);
  });

  test("what a term's indices are is not covered", () => {
    expect(bincode("Par", "4a020001")).toBe(bincode("Par", ""));
    expect(bincode("Par", "5001")).toBe(`${zeros(80)}01`);
  });

  test("bundles come before connectives, injections in the order of their names", () => {
    expect(bincode("Par", "42022801").slice(2 * 48)).toBe(`${zeros(8)}${count(1)}010400000001${zeros(8 + 8 + 1)}`);
    const entry = (name: string, rest = ""): string =>
      `22${((name.length + rest.length) / 2 + 2).toString(16).padStart(2, "0")}0a01${name}${rest}`;
    expect(bincode("New", entry("62", "1200") + entry("61"))).toBe(
      `${zeros(4)}00${zeros(8)}${count(2)}${count(1)}61${zeros(81)}${count(1)}62${zeros(81)}${zeros(8)}`,
    );
  });

  test("a continuation begins with its guard", () => {
    expect(bincode("TaggedContinuation", "1005")).toBe(`000101000000${count(5)}`);
    expect(bincode("TaggedContinuation", "1a001005")).toBe(`01${zeros(81)}0101000000${count(5)}`);
  });
});

test("bytes that no encoder writes are refused", () => {
  const refused: readonly (readonly [ShapeName, string, string])[] = [
    ["Par", "2a0410", "truncated"],
    ["Par", "50015000", "badTag"],
    ["Par", "7a00", "badTag"],
    ["Send", "0a000a00", "badTag"],
    ["Var", "08001000", "badTag"],
  ];
  for (const [name, bytes, code] of refused)
    expect(() => bincode(name, bytes), bytes).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code }) }),
    );
  const limits = { maxSizeBytes: 100, maxNodes: 2 };
  expect(() => toBincode("Par", fromHex("2a0210002a0210002a021000"), limits)).toThrow("nodes");
  expect(() => toBincode("Par", new Uint8Array(101), limits)).toThrow("limit");
});

describe("f1r3node's terms", () => {
  test("have their channel's hash", () => {
    const failures: string[] = [];
    let compared = 0;
    for (const { id, expect } of readVectors<ParseVector>("f1r3node", "parse")) {
      if (expect.bytes === undefined || expect.channelHash === undefined) continue;
      compared += 1;
      const bytes = toBincode("Par", fromHex(expect.bytes));
      if (toHex(blake2b256(bytes)) !== expect.channelHash) failures.push(id);
    }
    expect(failures).toEqual([]);
    expect(compared).toBe(2316);
  });
});

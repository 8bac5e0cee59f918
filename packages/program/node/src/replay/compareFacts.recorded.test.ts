import { join } from "node:path";
import { fromHex, toHex } from "@vedette/crypto";
import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { compareFacts } from "./compareFacts.js";
import { RecordedChain, type RecordedFacts } from "./RecordedChain.js";

const chains = recordedDirectory("chains-r");

describe(`f1r3node's facts about the blocks of trio-r`, () => {
  const chain = new RecordedChain(join(chains, "trio-r"));
  const pairs = [...chain.blocks()].map((block) => ({ block, facts: chain.facts.get(toHex(block.hash))! }));
  const merged = pairs.find(({ facts }) => facts.rejectedDeploys!.length > 0 && facts.appliedFromScope!.length > 0)!;

  const floorOf = ({ floor, frontier }: RecordedFacts) => ({
    floor: fromHex(floor!),
    frontier: frontier === null || frontier === undefined ? undefined : fromHex(frontier),
  });

  test("agrees with what they state", () => {
    for (const { block, facts } of pairs) expect(compareFacts(block, facts, floorOf(facts))).toEqual([]);
  });

  test.each<[string, Partial<RecordedFacts>, RegExp]>([
    ["merge base", { mergeBase: "00" }, /^merge base is \w+, recorded is 00$/],
    ["what was applied", { appliedFromScope: [] }, /^what is applied of the merge scope is \w+/],
    ["what was rejected", { rejectedDeploys: [] }, /^what is rejected is \w+ carried by \w+.*, recorded is $/],
  ])("another %s is reported", (_what, other, expected) => {
    const facts = { ...merged.facts, ...other };
    expect(compareFacts(merged.block, facts, floorOf(facts))).toEqual([expect.stringMatching(expected)]);
  });

  test("another floor or frontier is reported, and one that was not derived", () => {
    const { block, facts } = merged;
    const other = { floor: fromHex("01"), frontier: fromHex("02") };
    expect(compareFacts(block, facts, other)).toEqual([
      `floor is 01, recorded is ${facts.floor}`,
      `frontier is 02, recorded is ${facts.frontier}`,
    ]);
    expect(compareFacts(block, facts)).toHaveLength(2);
  });
});

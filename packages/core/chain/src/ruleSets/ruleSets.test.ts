import { Block, f1r3node, hashBlock, rnode } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestValidator, testGenesis } from "../testing/index.js";
import { f1r3nodeRuleSetNamed, f1r3nodeRuleSets } from "./f1r3nodeRuleSets.js";
import { unknownRulesText } from "./unknownRules.js";

const header = { parents: [], timestamp: 1n, version: 1n, extraBytes: new Uint8Array(0) };

test("rule sets are found by their names, and each has another one", () => {
  for (const ruleSet of f1r3nodeRuleSets) expect(f1r3nodeRuleSetNamed(ruleSet.name)).toBe(ruleSet);
  expect(new Set(f1r3nodeRuleSets.map(({ name }) => name)).size).toBe(f1r3nodeRuleSets.length);
  expect(f1r3nodeRuleSetNamed("f1r3node-9")).toBeUndefined();
});

test("a block of a newer version is named with what is known", () => {
  const words = "this network uses rules of a newer version (block version 4 at #17); Vedette knows block version 1";
  expect(unknownRulesText({ header: { ...header, version: 4n }, number: 17n })).toBe(words);
  for (const version of [0n, 1n])
    expect(unknownRulesText({ header: { ...header, version }, number: 17n })).toBeUndefined();
});

test.each([true, false])("it gets no verdict, on networks of either dialect (f1r3node: %s)", async (followsFloors) => {
  const genesis = testGenesis({ v1: 10, v2: 10 });
  const [maker, judge] = ["v1", "v2"].map((name) => new TestValidator(name, genesis, { followsFloors }));
  const made = await maker!.make();
  const forged = new Block({ ...made, header: { ...made.header, version: 4n } });
  const newer = new Block({ ...forged, hash: hashBlock(forged, followsFloors ? f1r3node : rnode) });
  expect(await judge!.take(newer)).toEqual(["BlockException"]);
  expect(judge!.chain.dag.has(newer.hash)).toBe(false);
  expect(await judge!.take(made)).toEqual(["Valid"]);
});

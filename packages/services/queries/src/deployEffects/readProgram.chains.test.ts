import { decodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { areRecordingsThere, ownChain, ownF1r3nodeChain, recordedBlocks } from "@vedette/testing";
import { expect, test } from "vitest";
import { programRulesOf } from "./programRules.js";
import { readProgram } from "./readProgram.js";

/** How many deploys of a chain have a fact of each kind. */
const counts: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  own: { deploys: 35, transfer: 8, publish: 10, call: 17, depends: 13, unrecognized: 3, tooLarge: 3, unreadable: 1 },
  "own-r": { deploys: 200, publish: 15, call: 152, depends: 96, unrecognized: 4, tooLarge: 29 },
  solo: { deploys: 152, transfer: 32, publish: 14, call: 95, depends: 28, unrecognized: 5, tooLarge: 12 },
  trio: { deploys: 145, transfer: 24, publish: 17, call: 98, depends: 31, unrecognized: 5, tooLarge: 12 },
  merge: { deploys: 25, transfer: 1, publish: 9, call: 13, depends: 2, tooLarge: 4 },
  "equivocation-v1": { deploys: 36, publish: 10, call: 21, depends: 15, tooLarge: 4 },
  "equivocation-v3b": { deploys: 31, publish: 9, call: 18, depends: 14, tooLarge: 4 },
  "solo-r": { deploys: 129, transfer: 19, publish: 12, call: 86, depends: 20, unrecognized: 5, tooLarge: 13 },
  "trio-r": { deploys: 77, transfer: 23, publish: 9, call: 39, depends: 22, unrecognized: 2, tooLarge: 7 },
};
const recorded = ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b", "solo-r", "trio-r"];

test.each([ownChain, ownF1r3nodeChain, ...(areRecordingsThere ? recorded : [])])(
  "every deploy of %s is read",
  (chain) => {
    const dialect = chain.endsWith("-r") ? f1r3node : rnode;
    const rules = programRulesOf(dialect.blockForm);
    const found: Record<string, number> = {};
    for (const { bytes } of recordedBlocks(chain)) {
      for (const { deploy } of decodeBlock(bytes, rnode.blockForm).body.deploys) {
        const facts = readProgram(deploy.term, rules);
        const kinds = new Set(facts.map((fact) => (fact.type === "other" ? fact.reason : fact.type)));
        for (const kind of ["deploys", ...kinds]) found[kind] = (found[kind] ?? 0) + 1;
      }
    }
    expect(found).toEqual(counts[chain]);
  },
);

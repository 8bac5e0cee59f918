import { SeededNumbers } from "@vedette/devnet/seededNumbers";
import { runs } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { CorpusFile } from "./driver/CorpusFile.js";
import type { Finding } from "./driver/Finding.js";
import { FuzzRun } from "./driver/FuzzRun.js";
import { removeMadeIndex } from "./model/madeIndex.js";
import { loadTarget, targetNames } from "./targets.js";

afterAll(removeMadeIndex);

/** Beside the corpus; dear targets get fewer. */
const inputs = { cheap: runs(20, 100), dear: runs(1, 4) };

describe("takes its corpus and some more inputs as it must", () => {
  test.each(targetNames)("%s", async (name) => {
    const target = await loadTarget(name);
    const findings: Finding[] = [];
    const corpus = new CorpusFile(name).read();
    const run = new FuzzRun({
      target,
      numbers: new SeededNumbers(1),
      corpus,
      mostInputs: corpus.length + inputs[target.cost],
      mostMs: Number.POSITIVE_INFINITY,
      onFinding: (finding) => findings.push(finding),
    });
    await run.run();
    expect(findings.map(({ message, shown }) => `${message}\n${shown}`)).toEqual([]);
    expect(run.inputs).toBeGreaterThan(0);
  });
});

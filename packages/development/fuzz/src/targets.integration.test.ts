import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SeededNumbers } from "@vedette/devtools/seededNumbers";
import { runs } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { CorpusFile } from "./driver/CorpusFile.js";
import type { FuzzFailure } from "./driver/FuzzFailure.js";
import { FuzzRun } from "./driver/FuzzRun.js";
import { removeMadeIndex } from "./model/madeIndex.js";
import { loadTarget, targetNames } from "./targets.js";

afterAll(removeMadeIndex);

/** Beside the corpus; dear targets get fewer. */
const inputs = { cheap: runs(20, 100), expensive: runs(1, 4) };

test.each(targetNames)("%s names source files that are there", async (name) => {
  const packages = join(import.meta.dirname, "../../..");
  const floors = readdirSync(packages);
  for (const file of (await loadTarget(name)).files) {
    const [folder, ...rest] = file.replace(/^!/, "").replace(/\.js$/, ".ts").split("/");
    const floor = floors.find((one) => existsSync(join(packages, one, folder!)));
    const path = join(packages, floor ?? "", folder!, "src", ...rest);
    const isThere = existsSync(path) || readdirSync(dirname(path)).some((found) => found.startsWith(basename(path)));
    expect(isThere, file).toBe(true);
  }
});

describe("takes its corpus and some more inputs as it must", () => {
  test.each(targetNames)("%s", async (name) => {
    const target = await loadTarget(name);
    const findings: FuzzFailure[] = [];
    const corpus = new CorpusFile(name).read();
    const run = new FuzzRun({
      target,
      numbers: new SeededNumbers(1),
      corpus,
      maxInputs: corpus.length + inputs[target.cost],
      maxMs: Number.POSITIVE_INFINITY,
      onFinding: (finding) => findings.push(finding),
    });
    await run.run();
    expect(findings.map(({ message, shown }) => `${message}\n${shown}`)).toEqual([]);
    expect(run.inputs).toBeGreaterThan(0);
  });
});

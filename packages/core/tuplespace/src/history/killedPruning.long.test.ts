import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, seedOfToday } from "@vedette/testing";
import { expect, test } from "vitest";
import { killPruning } from "../testing/killPruning.js";

const kills = Number(process.env["VEDETTE_LONG_PRUNING_KILLS"] ?? 80);

test(`${kills} kills amid pruning leave every recorded state whole`, async () => {
  const folder = mkdtempSync(join(fastFolder, "vedette-pruning-"));
  const seed = seedOfToday();
  try {
    const phases = await killPruning(folder, { kills, seed });
    process.stdout.write(`pruning: ${kills} kills amid ${[...phases].toSorted().join(", ")}, seed ${seed}\n`);
    expect([...phases]).toEqual(expect.arrayContaining(["marking", "sweeping"]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

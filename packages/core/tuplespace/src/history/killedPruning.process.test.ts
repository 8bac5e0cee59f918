import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, seedOfToday } from "@vedette/testing";
import { expect, test } from "vitest";
import { killPruning } from "../testing/killPruning.js";

const kills = 2;

test(`a program that is killed amid its pruning, ${kills} times, leaves every recorded state whole`, async () => {
  const folder = mkdtempSync(join(fastFolder, "vedette-pruning-"));
  try {
    const phases = await killPruning(folder, { kills, seed: seedOfToday() });
    expect(phases.size).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

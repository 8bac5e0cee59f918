import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { RecordedChain } from "./RecordedChain.js";
import { replayChain } from "./replayChain.js";

const chains = recordedDirectory("chains-r");
const skipped = chains === undefined ? " (skipped: not here)" : "";

async function replay(folder: string, path: string) {
  const chain = new RecordedChain(folder);
  await using directory = await openDataDirectory(path, chain.dialect.name);
  const signal = new AbortController().signal;
  return replayChain({ chain, directory, start: "genesis", signal, progress: () => {} });
}

describe.skipIf(chains === undefined).each([
  ["solo-r", 33],
  ["trio-r", 25],
])(`the recorded chain %s of the newer node${skipped}`, (name, blocks) => {
  test("replays into a data directory without differences, and goes on where it ended", async () => {
    const path = mkdtempSync(join(tmpdir(), "vedette-floor-ground-"));
    try {
      expect(await replay(join(chains!, name), path)).toMatchObject({
        blocks,
        skipped: 0,
        detached: 0,
        differences: [],
      });
      expect(await replay(join(chains!, name), path)).toMatchObject({ blocks: 0, skipped: blocks, differences: [] });
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  }, 300_000);
});

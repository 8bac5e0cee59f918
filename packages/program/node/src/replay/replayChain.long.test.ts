// Covers: node, chain, execution, rholang, tuplespace
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areRecordingsThere, chainDirectory, ownF1r3nodeChain } from "@vedette/testing";
import { expect, onTestFinished, test } from "vitest";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { RecordedChain } from "./RecordedChain.js";
import { replayChain } from "./replayChain.js";

test.each([
  [ownF1r3nodeChain, 82],
  ...(areRecordingsThere ? ([["solo-r", 33]] as const) : []),
  ...(areRecordingsThere ? ([["trio-r", 25]] as const) : []),
] as const)("the recorded chain %s replays without differences, and goes on where it ended", async (name, blocks) => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const chain = new RecordedChain(chainDirectory(name));
  const { signal } = new AbortController();
  const replay = async () => {
    await using directory = await openDataDirectory(join(folder, "data"), chain.dialect.name);
    return replayChain({ chain, directory, start: "genesis", signal, progress: () => {} });
  };
  expect(await replay()).toMatchObject({ blocks, skipped: 0, detached: 0, differences: [] });
  expect(await replay()).toMatchObject({ blocks: 0, skipped: blocks, differences: [] });
});

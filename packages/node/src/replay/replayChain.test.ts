import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areRecordingsThere, chainDirectory, ownNewerChain } from "@vedette/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { RecordedChain } from "./RecordedChain.js";
import { replayChain } from "./replayChain.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-replay-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function replay(chainFolder: string) {
  const chain = new RecordedChain(chainFolder);
  await using directory = await openDataDirectory(join(folder, "data"), chain.dialect.name);
  const signal = new AbortController().signal;
  return replayChain({ chain, directory, start: "genesis", signal, progress: () => {} });
}

// The chain of the older dialect is replayed by the process tests that begin with it.
test.each([
  [ownNewerChain, 82],
  ...(areRecordingsThere ? ([["solo-r", 33]] as const) : []),
  ...(areRecordingsThere ? ([["trio-r", 25]] as const) : []),
] as const)("the recorded chain %s replays without differences, and goes on where it ended", async (name, blocks) => {
  const all = { blocks, skipped: 0, detached: 0, differences: [] };
  expect(await replay(chainDirectory(name))).toMatchObject(all);
  expect(await replay(chainDirectory(name))).toMatchObject({ blocks: 0, skipped: blocks, differences: [] });
});

test("a compressed file that ends too early is named", () => {
  const copy = join(folder, "chain");
  cpSync(chainDirectory(ownNewerChain), copy, { recursive: true });
  const file = join(copy, "approved-block.bin.gz");
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
  expect(() => new RecordedChain(copy)).toThrow(`${file} cannot be read: unexpected end of file`);
});

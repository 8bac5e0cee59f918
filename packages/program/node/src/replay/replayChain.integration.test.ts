import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainDirectory, lengthPrefixed, ownChain, ownF1r3nodeChain, readChainFile } from "@vedette/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordedChain } from "./RecordedChain.js";
import { openReplayDirectory, replayChain } from "./replayChain.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-replay-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function replay(chainFolder: string) {
  const chain = new RecordedChain(chainFolder);
  await using directory = await openReplayDirectory(join(folder, "data"), chain);
  const signal = new AbortController().signal;
  return replayChain({ chain, directory, start: "genesis", signal, progress: () => {} });
}

/** A chain with only this many recorded blocks. */
function beginningOf(name: string, blocks: number): string {
  const copy = join(folder, `${name} ${blocks}`);
  mkdirSync(copy);
  for (const file of ["approved-block.bin", "blocks.jsonl", "network.json"])
    writeFileSync(join(copy, file), readChainFile(name, file));
  const all = readChainFile(name, "blocks.bin");
  const messages = lengthPrefixed(all).slice(0, blocks);
  writeFileSync(
    join(copy, "blocks.bin"),
    all.subarray(
      0,
      messages.reduce((sum, { length }) => sum + 4 + length, 0),
    ),
  );
  return copy;
}

// Whole chains are replayed in replayChain.long.test.ts; that of rnode by the process tests that begin with it.
test("a recorded chain replays without differences, and goes on where it ended", async () => {
  const [few, more] = [8, 20];
  const same = { detached: 0, differences: [] };
  expect(await replay(beginningOf(ownF1r3nodeChain, few))).toMatchObject({ blocks: few, skipped: 0, ...same });
  const next = { blocks: more - few, skipped: few, ...same };
  expect(await replay(beginningOf(ownF1r3nodeChain, more))).toMatchObject(next);
});

test("a compressed file that ends too early is named", () => {
  const copy = join(folder, "chain");
  cpSync(chainDirectory(ownF1r3nodeChain), copy, { recursive: true });
  const file = join(copy, "approved-block.bin.gz");
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
  expect(() => new RecordedChain(copy)).toThrow(`${file} cannot be read: unexpected end of file`);
});

/** A copy of a chain in which one file is another one. */
function changedChain(
  name: string,
  change: (text: string) => string,
): { readonly copy: string; readonly file: string } {
  const copy = join(folder, "chain");
  cpSync(chainDirectory(ownChain), copy, { recursive: true });
  const file = join(copy, name);
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return { copy, file };
}

test.each([
  ["a null", /"cost": ?\d+/, '"cost": null', "deploys[0].cost is null and has to be a whole number"],
  ["a missing value", /"cost": ?\d+, ?/, "", "deploys[0].cost is missing"],
  ["a list that is none", /"bonds": ?\[/, '"bonds": 5, "was": [', "bonds is 5 and has to be a list"],
  ["a text that is none", /"hash": ?"\w+"/, '"hash": {}', "hash is {} and has to be a text"],
])("a line with %s is named, with its file", (_what, from, to, reason) => {
  const { copy, file } = changedChain("blocks.jsonl", (text) => text.replace(from, to));
  expect(() => new RecordedChain(copy)).toThrow(`${file}, line 1, cannot be read: ${reason}`);
});

test("a recording of rules that are not known is not judged by others", async () => {
  const copy = beginningOf(ownF1r3nodeChain, 2);
  const file = join(copy, "network.json");
  const network: object = JSON.parse(readFileSync(file, "utf8"));
  const withRules = (ruleSet: string) => writeFileSync(file, JSON.stringify({ ...network, ruleSet }));
  withRules("f1r3node-9");
  await expect(replay(copy)).rejects.toThrow(
    'the network of the recording uses the rule set "f1r3node-9"; Vedette knows f1r3node-0.4.45, f1r3node-prior-rejections',
  );
  withRules("f1r3node-prior-rejections");
  expect((await replay(copy)).differences).toEqual([]);
  // Into the same directory.
  withRules("f1r3node-0.4.45");
  await expect(replay(copy)).rejects.toThrow(
    "holds a chain made by the rule set 'f1r3node-prior-rejections', but 'f1r3node-0.4.45' is wanted",
  );
});

test("a line that is cut is named", () => {
  const { copy, file } = changedChain("blocks.jsonl", (text) => `${text.trimEnd()}\n{"hash":`);
  expect(() => new RecordedChain(copy)).toThrow(/blocks\.jsonl, line 14, cannot be read: /);
  expect(() => new RecordedChain(copy)).toThrow(file);
});

test.each([
  ["network.json", "null", "it is null and has to be an object"],
  ["network.json", '{"epochLength":"often"}', 'epochLength is "often" and has to be a whole number'],
  ["dag.json", '{"invalidBlocks":[null]}', "invalidBlocks[0] is null and has to be a text"],
])("%s that is %j is reported with its fault", (name, text, reason) => {
  const { copy, file } = changedChain(name, () => text);
  expect(() => new RecordedChain(copy)).toThrow(`${file} cannot be read: ${reason}`);
});

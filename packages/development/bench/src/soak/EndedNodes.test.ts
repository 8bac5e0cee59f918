import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessEnd, ProcessState } from "@vedette/devtools/devnet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EndedNodes } from "./EndedNodes.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-ended-"));
  writeFileSync(join(folder, "node.log"), "older\nWARN the disk is slow\nERROR no room is left\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A node that has ended like this. */
function nodeThat(end: Omit<ProcessEnd, "lastError">) {
  const state: ProcessState = { type: "ended", end: { ...end, lastError: undefined } };
  return { names: ["validator1"], node: () => ({ plan: { directory: folder }, process: { state } }) };
}

test("the log of a node that ends by itself is kept, and its last lines are shown", () => {
  const logs = join(folder, "logs");
  using ended = new EndedNodes(nodeThat({ code: 1, signal: null }), logs);
  ended.look();
  ended.look();
  expect(ended.ends).toHaveLength(1);
  expect(ended.ends[0]).toMatch(/^validator1 ended by itself \(exit code 1\); its log: .*validator1-1\.log\n/);
  expect(ended.ends[0]).toContain("  ERROR no room is left");
  expect(readFileSync(join(logs, "validator1-1.log"), "utf8")).toContain("older");
});

test("a node that was killed or ended on request has not ended by itself", () => {
  const logs = join(folder, "none");
  for (const end of [
    { code: null, signal: "SIGKILL" },
    { code: 130, signal: null },
  ] as const) {
    using ended = new EndedNodes(nodeThat(end), logs);
    ended.look();
    expect(ended.ends).toEqual([]);
  }
  expect(existsSync(logs)).toBe(false);
});

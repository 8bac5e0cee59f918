import type { DeployTransfers } from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NewerBlockAnswers, type NewerBlockReads } from "./NewerBlockAnswers.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const metadata = { key: "a" } as BlockMetadata;

/** Of a chain of one block, which stands still. */
function answersWith(ofBlock: () => DeployTransfers | undefined) {
  const blocks = {
    version: 1,
    requireBlock: () => metadata,
    newest: () => [metadata],
    isSettled: () => true,
    isLarge: () => false,
    fullText: (_: BlockMetadata, moved: DeployTransfers | undefined) => (moved === undefined ? "without" : "with"),
  };
  const reads = { blocks, transfers: { ofBlock: async () => ofBlock() } } as unknown as NewerBlockReads;
  return new NewerBlockAnswers(reads);
}

test.each(["block", "list"] as const)("a %s without its transfers is told for a moment only", async (kind) => {
  let moved: DeployTransfers | undefined;
  let asked = 0;
  const answers = answersWith(() => {
    asked += 1;
    return moved;
  });
  const ask = async () => {
    const answer = await (kind === "block" ? answers.block("aa".repeat(32), "full") : answers.newest(1, "full"));
    return { text: String(answer.printed.bytes).replace(/[[\]]/g, ""), isSettled: answer.isSettled };
  };
  expect(await ask()).toEqual({ text: "without", isSettled: false });
  moved = new Map();
  expect(await ask()).toEqual({ text: "without", isSettled: false });
  vi.advanceTimersByTime(1_000);
  expect(await ask()).toEqual({ text: "with", isSettled: kind === "block" });
  vi.advanceTimersByTime(60_000);
  expect((await ask()).text).toBe("with");
  expect(asked).toBe(2);
});

import type { DeployTransfers } from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { insertLine } from "../testing/syntheticChain.js";
import { TestQueries } from "../testing/TestQueries.js";
import { BlockQueries } from "./BlockQueries.js";
import { F1r3nodeBlockAnswers, type F1r3nodeBlockReads } from "./F1r3nodeBlockAnswers.js";

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
  const reads = { blocks, transfers: { ofBlock: async () => ofBlock() } } as unknown as F1r3nodeBlockReads;
  return new F1r3nodeBlockAnswers(reads);
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

/** All blocks but the first one are large. */
class LargeBlocks extends BlockQueries {
  override isLarge({ number }: BlockMetadata): boolean {
    return number > 0n;
  }
}

test("of many who ask for large blocks so many wait, each block is made once, and others are answered meanwhile", async () => {
  await using node = TestQueries.emptyF1r3node();
  const [small, ...large] = insertLine(node.chain, 41);
  const blocks = new LargeBlocks(node.chain, 50);
  const looked: bigint[] = [];
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const ofBlock = async ({ number }: BlockMetadata): Promise<DeployTransfers> => {
    looked.push(number);
    if (number > 0n) await held;
    return new Map();
  };
  const answers = new F1r3nodeBlockAnswers({ blocks, transfers: { ofBlock } } as unknown as F1r3nodeBlockReads);
  // Three ask for each.
  const asked = Promise.allSettled([...large, ...large, ...large].map((hash) => answers.block(hash, "full")));
  const other = await answers.block(small!, "full");
  expect(JSON.parse(String(other.printed.bytes)).blockInfo.blockNumber).toBe(0);
  expect(looked.toSorted()).toEqual([0n, 1n]);
  goOn();
  const told = await asked;
  const hashes = told.map((one) => (one.status === "fulfilled" ? blockHashOf(one.value.printed.bytes) : "refused"));
  const expected = large.map((hash, at) => (at < 16 ? hash : "refused"));
  expect(hashes).toEqual([...expected, ...expected, ...expected]);
  expect(looked.map(Number).toSorted((one, other) => one - other)).toEqual(Array.from({ length: 17 }, (_, at) => at));
});

function blockHashOf(bytes: Uint8Array): string {
  return JSON.parse(String(bytes)).blockInfo.blockHash;
}

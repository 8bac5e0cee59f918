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

const request = { client: undefined };

const metadata = { key: "a" } as BlockMetadata;

/** Makes answers of a chain of one block that does not grow. */
function answersWith(ofBlock: () => DeployTransfers | undefined) {
  const blocks = {
    version: 1,
    requireBlock: () => metadata,
    newest: () => [metadata],
    isSettled: () => true,
    hasLargeText: () => false,
    fullText: (_: BlockMetadata, moved: DeployTransfers | undefined) => (moved === undefined ? "without" : "with"),
    fullPieces: (_: BlockMetadata, moved: DeployTransfers | undefined) => [moved === undefined ? "without" : "with"],
  };
  const reads = { blocks, transfers: { ofBlock: async () => ofBlock() } } as unknown as F1r3nodeBlockReads;
  return new F1r3nodeBlockAnswers(reads);
}

test.each(["block", "list"] as const)("a %s without its transfers is kept for a moment only", async (kind) => {
  let moved: DeployTransfers | undefined;
  let asked = 0;
  const answers = answersWith(() => {
    asked += 1;
    return moved;
  });
  const ask = async () => {
    const answer = await (kind === "block"
      ? answers.block("aa".repeat(32), "full", request)
      : answers.newest(1, "full", request));
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

/** All blocks but the first one have large texts. */
class LargeBlocks extends BlockQueries {
  override hasLargeText({ number }: BlockMetadata): boolean {
    return number > 0n;
  }
}

test("few of many requests for large blocks may wait, each block is made once, and others are answered meanwhile", async () => {
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
  // Three clients request each.
  const asked = Promise.allSettled([...large, ...large, ...large].map((hash) => answers.block(hash, "full", request)));
  const other = await answers.block(small!, "full", request);
  expect(JSON.parse(String(other.printed.bytes)).blockInfo.blockNumber).toBe(0);
  expect(looked.toSorted()).toEqual([0n, 1n]);
  goOn();
  const settled = await asked;
  const hashes = settled.map((one) => (one.status === "fulfilled" ? blockHashOf(one.value.printed.bytes) : "refused"));
  const expected = large.map((hash, at) => (at < 16 ? hash : "refused"));
  expect(hashes).toEqual([...expected, ...expected, ...expected]);
  expect(looked.map(Number).toSorted((one, other) => one - other)).toEqual(Array.from({ length: 17 }, (_, at) => at));
});

test("a client that requests a large block like another one, which loses its place, has a place to itself", async () => {
  await using node = TestQueries.emptyF1r3node();
  const [, ...large] = insertLine(node.chain, 18);
  const blocks = new LargeBlocks(node.chain, 50);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const ofBlock = async (): Promise<DeployTransfers> => {
    await held;
    return new Map();
  };
  const answers = new F1r3nodeBlockAnswers({ blocks, transfers: { ofBlock } } as unknown as F1r3nodeBlockReads);
  const ask = (hash: string, client: string) => answers.block(hash, "full", { client });
  const busy = Promise.allSettled(large.slice(0, 16).map((hash) => ask(hash, "10.0.0.1")));
  // The newest ones of the first client give way to these.
  const other = ask(large[16]!, "10.0.0.2");
  const same = ask(large[15]!, "10.0.0.2");
  goOn();
  expect((await busy).map(({ status }) => status)).toEqual([...Array(14).fill("fulfilled"), "rejected", "rejected"]);
  expect([blockHashOf((await other).printed.bytes), blockHashOf((await same).printed.bytes)]).toEqual([
    large[16],
    large[15],
  ]);
});

function blockHashOf(bytes: Uint8Array): string {
  return JSON.parse(String(bytes)).blockInfo.blockHash;
}

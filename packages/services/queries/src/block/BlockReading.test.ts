import type { BlockMetadata } from "@vedette/chain";
import { fromHex, secp256k1PublicKeyOf } from "@vedette/crypto";
import { Block, encodeBlock, type ProcessedDeploy, signDeploy } from "@vedette/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoteQueries, type NoteSources } from "../report/NoteQueries.js";
import { insertLine } from "../testing/syntheticChain.js";
import { TestQueries } from "../testing/TestQueries.js";
import { BlockQueries } from "./BlockQueries.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const privateKey = fromHex("11".repeat(32));
const key = { algorithm: "secp256k1", privateKey, publicKey: secp256k1PublicKeyOf(privateKey) } as const;
const terms = { term: "Nil", timestamp: 1n, phloPrice: 1n, phloLimit: 1_000n, validAfterBlockNumber: 0n };
const deploy = signDeploy({ ...terms, shardId: "root" }, key);
const processed: ProcessedDeploy = { deploy, cost: 1n, log: [], failed: false, systemDeployError: "" };

/** A chain of some blocks, each with one deploy, that counts its reads. */
function countedBlocks() {
  const { chain } = TestQueries.empty();
  const [, ...hashes] = insertLine(chain, 4);
  let reads = 0;
  let tolerance = 0.25;
  const read = (hash: Uint8Array) => {
    reads += 1;
    const block = chain.blocks.read(hash)!;
    return new Block({ ...block, body: { ...block.body, deploys: [processed] } });
  };
  const blocks = new BlockQueries(
    {
      ...{ dag: chain.dag, equivocations: chain.equivocations },
      blocks: {
        has: (hash) => chain.blocks.has(hash),
        lengthOf: () => 5 << 20,
        read,
        findBytes: (hash) => encodeBlock(read(hash)),
      },
      reporting: { ...chain.reporting, faultToleranceOf: () => tolerance },
    },
    50,
  );
  const [first, second] = hashes.map((hash) => chain.dag.require(fromHex(hash))) as [BlockMetadata, BlockMetadata];
  const setTolerance = (value: number) => {
    tolerance = value;
    blocks.chainChanged();
  };
  return { dag: chain.dag, blocks, first, second, setTolerance, reads: () => reads };
}

test("what one answer needs of a block is read once", async () => {
  const { dag, blocks, first, reads } = countedBlocks();
  const call = vi.fn(async () => undefined);
  const notes = new NoteQueries({ dag, blocks, readers: { call } } as unknown as NoteSources);
  const { block } = blocks.read(first);
  await notes.find(first, deploy.signature);
  expect(call).toHaveBeenCalledOnce();
  expect(call).toHaveBeenCalledWith("notes", expect.objectContaining({ block: encodeBlock(block) }), expect.anything());
  expect(blocks.fullText(first)).toContain("blockInfo");
  expect(reads()).toBe(1);
});

test("no more than one block is at hand, and that for a while only", () => {
  const { blocks, first, second, reads } = countedBlocks();
  for (const metadata of [first, second, first]) blocks.read(metadata);
  expect(reads()).toBe(3);
  vi.advanceTimersByTime(1_999);
  blocks.read(first);
  expect(reads()).toBe(3);
  vi.advanceTimersByTime(4_000);
  blocks.read(first);
  expect(reads()).toBe(4);
});

test("a light text with another fault tolerance needs no block", () => {
  const { blocks, first, second, setTolerance, reads } = countedBlocks();
  const shown = () => JSON.parse(blocks.lightText(first)) as { faultTolerance: number };
  const before = shown();
  blocks.read(second);
  setTolerance(0.5);
  expect(shown()).toEqual({ ...before, faultTolerance: 0.5 });
  expect(Object.keys(shown())).toEqual(Object.keys(before));
  expect([before.faultTolerance, reads()]).toEqual([0.25, 2]);
});

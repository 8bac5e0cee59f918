import type { F1r3nodeMerge } from "@vedette/chain";
import { describe, expect, test } from "vitest";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { MergeScopeAnswer, MergeScopeCall } from "../executor/F1r3nodeExecutor.js";
import { f1r3nodeExecutionOf } from "./f1r3nodeExecutionOf.js";
import { withBlockBytes } from "./withBlockBytes.js";

const root = new Uint8Array(32);
const blockHash = new Uint8Array(32).fill(1);
const bytes = new Uint8Array([1, 2, 3]);
const request: F1r3nodeMerge = {
  ...{
    baseState: root,
    merged: [blockHash],
    lineage: [],
    settled: new Set<string>(),
    lateUpTo: 0n,
    recorded: [],
    priorRejections: new Map(),
  },
};

/** An executor that answers merges one after the other. */
function answering(...answers: (MergeScopeAnswer | Error)[]) {
  const asked: MergeScopeCall[] = [];
  const mergeScope = async (call: MergeScopeCall): Promise<MergeScopeAnswer> => {
    asked.push(call);
    const answer = answers[asked.length - 1]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, executor: { mergeScope } as unknown as ExecutorClient };
}

test("on an invalid block no state is fetched, and one that is not here is a fault of the block", async () => {
  const asked: string[] = [];
  const executor = { hasRoot: async () => false } as unknown as ExecutorClient;
  const execution = f1r3nodeExecutionOf(executor, { findBytes: () => bytes }, async () => void asked.push("fetched"));
  const missing = { failure: { code: "stateMissing", root } };
  await expect(execution.merge({ ...request, isLocal: true })).rejects.toMatchObject(missing);
  const replay = { block: undefined as never, preStateHash: root, invalidBlocks: [], isLocal: true };
  await expect(execution.replay(replay)).rejects.toMatchObject(missing);
  expect(asked).toEqual([]);
});

describe("a merge", () => {
  test("that fails for the blocks' statements has an error of its own, so that all nodes refuse alike", async () => {
    const { executor } = answering({ kind: "unmergeable", reason: "A number channel cannot be merged: too large." });
    await expect(f1r3nodeExecutionOf(executor, { findBytes: () => bytes }).merge(request)).rejects.toMatchObject({
      failure: { code: "unmergeable" },
      message: "The parents cannot be merged: A number channel cannot be merged: too large.",
    });
  });

  test("that fails for what this node does not have is no statement of the blocks", async () => {
    const { executor } = answering(new RangeError("gone"));
    await expect(f1r3nodeExecutionOf(executor, { findBytes: () => bytes }).merge(request)).rejects.toThrow("gone");
    const unexecuted: MergeScopeAnswer = { kind: "unexecuted", hashes: [blockHash] };
    const absent = f1r3nodeExecutionOf(answering(unexecuted).executor, { findBytes: () => undefined });
    await expect(absent.merge(request)).rejects.toMatchObject({ failure: { code: "blockMissing" } });
  });

  test("has the bytes of blocks sent where the executor does not know them", async () => {
    const merged: MergeScopeAnswer = { kind: "merged", stateHash: root, records: [], applied: [], unslashed: [] };
    const { executor, asked } = answering({ kind: "unknown", hashes: [blockHash] }, merged);
    const given = withBlockBytes(executor, { findBytes: () => bytes });
    expect(await f1r3nodeExecutionOf(given, { findBytes: () => bytes }).merge(request)).toMatchObject(merged);
    expect(asked.map((call) => call.merged.map((block) => block.bytes))).toEqual([[undefined], [bytes]]);
    const lacking = withBlockBytes(answering({ kind: "unknown", hashes: [blockHash] }).executor, {
      findBytes: () => undefined,
    });
    await expect(f1r3nodeExecutionOf(lacking, { findBytes: () => bytes }).merge(request)).rejects.toMatchObject({
      failure: { code: "blockMissing" },
    });
  });
});

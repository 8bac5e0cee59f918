import { expect, test } from "vitest";
import { executorPipeline } from "../chain/executorPipeline.js";
import { executorClientOf, executorOperations, withOperations } from "./ExecutorClient.js";
import type { ReplayCall } from "./RnodeExecutor.js";

function recordingClient() {
  const calls: string[] = [];
  const client = executorClientOf(
    async (operation) => {
      calls.push(operation);
      return operation === "mergeScope" ? { kind: "merged" } : operation;
    },
    async () => void calls.push("closed"),
  );
  return { calls, client };
}

const call = { block: new Uint8Array(1), preState: new Uint8Array(32), invalidBlocks: [] } as ReplayCall;

test("a client does other operations in place of some, and passes all others on, closing too", async () => {
  const { calls, client } = recordingClient();
  const other = withOperations(client, { hasRoot: async () => true });
  expect(await other.hasRoot(new Uint8Array(32))).toBe(true);
  expect(calls).toEqual([]);
  await other.forgottenBelow();
  await other[Symbol.asyncDispose]();
  expect(calls).toEqual(["forgottenBelow", "closed"]);
});

test("a client with other operations has all of them as its own, so that a copy has them, too", async () => {
  const { calls, client } = recordingClient();
  const copy = { ...withOperations(withOperations(client, {}), { hasRoot: async () => true }) };
  expect(Object.keys(copy).sort()).toEqual([...executorOperations].sort());
  await copy.replay(call);
  expect(calls).toEqual(["replay"]);
});

test("calls pass speculation, patience and group commits, in this order", async () => {
  const { client } = recordingClient();
  const passed: string[] = [];
  const noted = (name: string, next: typeof client) =>
    withOperations(next, {
      replay: (one) => {
        passed.push(name);
        return next.replay(one);
      },
    });
  const { executor, groups } = executorPipeline({
    ...{ thread: noted("thread", client), blocks: { findBytes: () => undefined } },
    groups: (next) => ({ executor: noted("groups", next) }),
    patience: (next) => noted("patience", next),
  });
  await executor.replay(call);
  expect(passed.splice(0)).toEqual(["patience", "groups", "thread"]);
  await groups.executor.replay(call);
  expect(passed).toEqual(["groups", "thread"]);
});

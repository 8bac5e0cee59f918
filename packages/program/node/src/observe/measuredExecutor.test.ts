import type { ReplayAnswer } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import { expect, test } from "vitest";
import { measuredExecutor } from "./measuredExecutor.js";

test("a block that is requested early is measured from when its turn came", async () => {
  let nowMs = 0;
  const answers: (() => void)[] = [];
  const replay = () =>
    new Promise<ReplayAnswer>((resolve) => answers.push(() => resolve({ kind: "failed", message: "" })));
  const times: number[] = [];
  const measured = measuredExecutor(
    { replay } as unknown as ExecutorClient,
    { onReplayed: (milliseconds) => times.push(milliseconds), onFailed: () => undefined },
    () => nowMs,
  );
  const call = { block: new Uint8Array(0), preState: new Uint8Array(0), invalidBlocks: [] };
  const [first, second] = [measured.executor.replay(call), measured.executor.replay(call)];
  expect(measured.pending()).toBe(2);
  nowMs = 30;
  answers[0]!();
  await first;
  nowMs = 50;
  answers[1]!();
  await second;
  nowMs = 100;
  const third = measured.executor.replay(call);
  nowMs = 107;
  answers[2]!();
  await third;
  expect(times).toEqual([30, 20, 7]);
  expect(measured.pending()).toBe(0);
});

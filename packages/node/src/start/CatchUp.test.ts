import type { SyncStatus } from "@vedette/sync";
import { expect, test } from "vitest";
import { CatchUp } from "./CatchUp.js";

const idle: SyncStatus = {
  state: "running",
  approved: undefined,
  height: 1n,
  peers: 1,
  waitingBlocks: 0,
  readyBlocks: 0,
  requestedBlocks: 0,
};

const quick = { firstPeerMs: 300, tipsMs: 10, mostMs: 600 };

test("a node on its own may propose at once", async () => {
  const catchUp = new CatchUp(quick);
  expect(catchUp.reason).toMatch(/not synchronized/);
  await catchUp.run(() => ({ ...idle, peers: 0 }), false, new AbortController().signal);
  expect(catchUp.reason).toBeUndefined();
});

test("a node with peers waits for the blocks that they have announced", async () => {
  const catchUp = new CatchUp(quick);
  let asked = 0;
  const status = () => {
    asked += 1;
    return { ...idle, requestedBlocks: asked < 5 ? 2 : 0 };
  };
  const done = catchUp.run(status, true, new AbortController().signal);
  expect(catchUp.reason).toBeDefined();
  await done;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(catchUp.reason).toBeUndefined();
});

test("a block that never comes does not keep a validator silent", async () => {
  const catchUp = new CatchUp(quick);
  await catchUp.run(() => ({ ...idle, requestedBlocks: 1 }), true, new AbortController().signal);
  expect(catchUp.reason).toBeUndefined();
});

test("a node that is stopped while it waits does not begin", async () => {
  const catchUp = new CatchUp(quick);
  const controller = new AbortController();
  const done = catchUp.run(() => ({ ...idle, peers: 0 }), true, controller.signal);
  controller.abort();
  await done;
  expect(catchUp.reason).toBeDefined();
});

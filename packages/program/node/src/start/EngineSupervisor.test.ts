import type { Peer } from "@vedette/network";
import { StoreError } from "@vedette/store";
import { type Engine, SyncError } from "@vedette/sync";
import { expect, test } from "vitest";
import { LowDiskGate } from "../machine/LowDiskGate.js";
import { FakeTime } from "../testing/FakeTime.js";
import { EngineSupervisor } from "./EngineSupervisor.js";

const peer: Peer = { id: "aa", host: "a.example", protocolPort: 1, discoveryPort: 2 };
const full = () => new StoreError({ code: "full", path: "/data" });

/** An engine that runs until its signal, or until the test lets it fail. */
class FakeEngine {
  readonly packets: string[] = [];
  isRunning = false;
  fail: (error: Error) => void = () => {};
  failure: Error | undefined;

  async run(signal: AbortSignal): Promise<void> {
    this.isRunning = true;
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      signal.addEventListener("abort", () => resolve(), { once: true });
    }).finally(() => (this.isRunning = false));
  }

  async handlePacket(_: Peer, typeId: string): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.packets.push(typeId);
  }
}

function started() {
  const time = new FakeTime();
  const disk = { freeBytes: 5_000 };
  const engines: FakeEngine[] = [];
  const room = new LowDiskGate({
    ...{ lowWaterBytes: 1_000, measure: () => disk, timers: time },
    nowMs: () => time.nowMs,
  });
  const create = () => {
    engines.push(new FakeEngine());
    return engines.at(-1) as unknown as Engine;
  };
  const engine = new EngineSupervisor({ create, room, timers: time });
  const failures: string[] = [];
  const stop = new AbortController();
  void room.watch(stop.signal);
  const ended = engine.run((message) => failures.push(message), stop.signal);
  ended.catch(() => undefined);
  return { time, disk, engine, engines, failures, stop, ended };
}

test("without room on the disk the engine stops, peers are answered, and another one goes on when there is room", async () => {
  const { time, disk, engine, engines, stop, ended } = started();
  await time.pass(0);
  expect(engines[0]!.isRunning).toBe(true);
  disk.freeBytes = 10;
  await time.pass(1_000);
  expect([engines.length, engines[0]!.isRunning]).toEqual([1, false]);
  for (const typeId of ["BlockMessage", "BlockHashMessage", "HasBlock", "StoreItemsMessage", "BlockRequest"])
    await engine.handlePacket(peer, typeId, new Uint8Array());
  expect(engines[0]!.packets).toEqual(["BlockRequest"]);
  disk.freeBytes = 5_000;
  await time.pass(1_000);
  expect([engines.length, engines[1]!.isRunning]).toEqual([2, true]);
  await engine.handlePacket(peer, "BlockMessage", new Uint8Array());
  expect(engines[1]!.packets).toEqual(["BlockMessage"]);
  stop.abort();
  await ended;
});

test("a store without room ends the engine and not the node, wherever the store says so", async () => {
  const { time, engine, engines, stop, ended } = started();
  await time.pass(0);
  engines[0]!.fail(full());
  await time.pass(29_000);
  expect(engines).toHaveLength(1);
  await time.pass(2_000);
  expect(engines[1]!.isRunning).toBe(true);
  engines[1]!.failure = full();
  await engine.handlePacket(peer, "BlockMessage", new Uint8Array());
  await time.pass(1_000);
  expect(engines[1]!.isRunning).toBe(false);
  await time.pass(30_000);
  expect(engines[2]!.isRunning).toBe(true);
  stop.abort();
  await ended;
});

test("a join that failed is tried again by another engine, and what has no hope ends the node", async () => {
  const { time, engines, failures, ended } = started();
  await time.pass(0);
  engines[0]!.fail(new SyncError({ code: "stateUnobtainable", reason: "gone" }));
  await time.pass(30_000);
  expect(failures).toEqual(["The state of the approved block cannot be fetched: gone"]);
  expect(engines[1]!.isRunning).toBe(true);
  engines[1]!.fail(new SyncError({ code: "noBootstrap" }));
  await expect(ended).rejects.toThrow("no bootstrap");
});

import { tmpdir } from "node:os";
import { readConfig } from "@vedette/config";
import { freeSpaceOf } from "@vedette/store";
import { expect, test } from "vitest";
import { FakeTime } from "../testing/FakeTime.js";
import { LowDiskGate, lowDiskGateOf, shortageText } from "./LowDiskGate.js";

const never = new AbortController().signal;

/** A gate over a disk with free room that the test sets. */
function gate(lowWaterBytes = 1_000) {
  const time = new FakeTime();
  const disk = { freeBytes: 5_000 };
  const room = new LowDiskGate({
    ...{ lowWaterBytes, timers: time },
    measure: () => disk,
    nowMs: () => time.nowMs,
  });
  return { time, disk, room };
}

test("the gate closes below the mark and reports since when, and opens when there is clearly more", async () => {
  const { time, disk, room } = gate();
  void room.watch(never);
  expect(room.isOpen).toBe(true);
  const work = room.whileOpen(never);
  disk.freeBytes = 999;
  await time.pass(1_000);
  const sinceMs = time.nowMs;
  expect([room.isOpen, work.aborted]).toEqual([false, true]);
  let isOpened = false;
  void room.opened(never).then(() => (isOpened = true));
  disk.freeBytes = 1_100;
  await time.pass(10_000);
  expect(room.shortage).toEqual({ sinceMs, freeBytes: 999, lowWaterBytes: 1_000, isRefused: false });
  expect(isOpened).toBe(false);
  disk.freeBytes = 1_250;
  await time.pass(1_000);
  expect([room.isOpen, isOpened, room.whileOpen(never).aborted]).toEqual([true, true, false]);
});

test("half of the mark is left to bring to an end what has begun", () => {
  expect(gate(1_000_000).room.reserveBytes).toBe(500_000);
});

test("a write that found no room closes the gate until there is clearly more, or for half a minute", async () => {
  const { time, disk, room } = gate();
  void room.watch(never);
  room.refused();
  await time.pass(29_000);
  expect(room.isOpen).toBe(false);
  await time.pass(1_000);
  expect(room.isOpen).toBe(true);
  room.refused();
  disk.freeBytes = 10_000 + (4 << 20);
  await time.pass(1_000);
  expect(room.isOpen).toBe(true);
});

test("waiting for room ends with the signal", async () => {
  const { disk, room } = gate();
  disk.freeBytes = 0;
  room.look();
  const stop = new AbortController();
  const waiting = room.opened(stop.signal);
  stop.abort();
  await waiting;
  expect(room.isOpen).toBe(false);
});

test("the mark is the configured one, or 5 % of the disk, at most 1 GB", () => {
  const surroundings = { home: tmpdir(), configFile: "/dev/null", environment: {} };
  const markOf = (mark?: string) => {
    const options = mark === undefined ? new Map() : new Map([["storage.low-water-mark" as const, mark]]);
    const { config } = readConfig({ ...surroundings, options });
    return lowDiskGateOf(config, tmpdir(), []).lowWaterBytes;
  };
  const { totalBytes } = freeSpaceOf(tmpdir())!;
  expect(markOf()).toBe(Math.min(1_000_000_000, Math.floor(totalBytes * 0.05)));
  expect(markOf("7654321")).toBe(7_654_321);
});

test("a shortage is reported with its figures, and with the setting where that is the cause", () => {
  const shortage = { sinceMs: 0, freeBytes: 412_345_678, lowWaterBytes: 1_000_000_000, isRefused: false };
  expect(shortageText(shortage)).toBe(
    "the disk has 412 MB free, and nothing is written below 1000 MB (storage.low-water-mark)",
  );
  expect(shortageText({ ...shortage, isRefused: true })).toBe(
    "the disk has 412 MB free, which is too little for what was to be written",
  );
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import { makeData } from "@vedette/node/testing";
import { openPlace, SnapshotError, type SnapshotStorage } from "@vedette/replication/snapshot";
import { until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSnapshot } from "../snapshot/runSnapshot.js";
import { bootstrapFromSnapshot, type SnapshotBootstrap } from "./bootstrapFromSnapshot.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-begin-"));
const place = join(folder, "place");
let trusted = "";

beforeAll(async () => {
  await makeData(join(folder, "made"), 4);
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), progress: { isTTY: false, write: () => true } };
  await runSnapshot("create", { location: place, dataDir: join(folder, "made"), json: true }, output);
  trusted = JSON.parse(printed.join("")).block.hash;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A place that is out of reach this many times. */
async function failing(times: number, passes: boolean): Promise<SnapshotStorage & { asked: number }> {
  const there = await openPlace(place, {});
  let asked = 0;
  const ask = <Result>(work: () => Promise<Result>): Promise<Result> => {
    asked += 1;
    if (asked > times) return work();
    return Promise.reject(new SnapshotError({ code: "placeUnusable", place, reason: "no answer", passes }));
  };
  return {
    label: there.label,
    get asked() {
      return asked;
    },
    put: (name, bytes) => ask(() => there.put(name, bytes)),
    get: (name, maxBytes) => ask(() => there.get(name, maxBytes)),
    has: (name) => ask(() => there.has(name)),
    list: (prefix) => ask(() => there.list(prefix)),
    delete: (name) => ask(() => there.delete(name)),
  } as SnapshotStorage & { asked: number };
}

function beginning(name: string, from: SnapshotStorage, signal = new AbortController().signal) {
  const lines: string[] = [];
  const log: Log = (line) => void lines.push(line.text);
  const { config: settings } = readConfig({
    ...{ home: folder, environment: {} },
    options: new Map([["storage.data-dir", join(folder, name)]]),
  });
  const options: SnapshotBootstrap = { place: from, trusted, settings, signal, log, firstWaitMs: 1 };
  return { options, lines };
}

test("an unreachable storage is waited for; a filled directory needs no storage", async () => {
  const from = await failing(3, true);
  const { options, lines } = beginning("waits", from);
  expect(await bootstrapFromSnapshot(options)).toBe(true);
  expect(lines.filter((line) => line.includes("no answer; retry in "))).toHaveLength(3);
  expect(lines.at(-1)).toContain("The chain begins with block #4 of the snapshot.");
  const { asked } = from;
  expect(await bootstrapFromSnapshot(options)).toBe(true);
  expect(from.asked).toBe(asked);
});

test("an error that does not pass by itself is thrown at once", async () => {
  const { options } = beginning("refused", await failing(1, false));
  await expect(bootstrapFromSnapshot(options)).rejects.toThrow("no answer");
});

test("a signal ends the waiting", async () => {
  const ends = new AbortController();
  const from = await failing(Number.POSITIVE_INFINITY, true);
  const { options, lines } = beginning("ended", from, ends.signal);
  const begun = bootstrapFromSnapshot({ ...options, firstWaitMs: 3_600_000 });
  await until("a request to the place", () => lines.some((line) => line.includes("retry in")));
  ends.abort();
  expect(await begun).toBe(false);
});

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Line } from "@vedette/config/log";
import { RnodeExecutor } from "@vedette/executor";
import { openStateStore, ReaderPool } from "@vedette/executor/threads";
import { rnode } from "@vedette/protocol";
import { patienceMs } from "@vedette/testing";
import { afterAll, expect, test } from "vitest";
import { reportDamagedValues } from "./DamagedValues.js";
import { Meters } from "./meters.js";

const path = mkdtempSync(join(tmpdir(), "vedette-damaged-"));
const stateDirectory = join(path, "state");
afterAll(() => rmSync(path, { recursive: true }));

test("a reader reports a value that the disk has changed; the log has a line, once, and it is counted", async () => {
  const lines: Line[] = [];
  const meters = new Meters();
  using _reporting = reportDamagedValues({ path, meters, log: (line) => void lines.push(line) });
  const store = openStateStore({ stateDirectory });
  const root = new RnodeExecutor(store).makeEmptyState();
  const node = Buffer.from(store.table("history").get(root)!);
  await store.close();
  const place = join(stateDirectory, "data.mdb");
  const bytes = readFileSync(place);
  const file = openSync(place, "r+");
  for (let at = bytes.indexOf(node); at >= 0; at = bytes.indexOf(node, at + 1))
    writeSync(file, Uint8Array.of(bytes[at + 5]! ^ 1), 0, 1, at + 5);
  closeSync(file);
  await using readers = new ReaderPool({ stateDirectory, threads: 1, dialect: rnode.name, maxWaiting: 1 });
  const anonymousKey = new Uint8Array(65).fill(4);
  const asked = {
    root,
    deployer: anonymousKey,
    signature: anonymousKey,
    timestamp: 0n,
    timeoutMs: patienceMs(),
    form: "json" as const,
  };
  const ask = () => readers.call("explore", { ...asked, source: 'for (@x <- @"absent") { Nil }' }, patienceMs());
  for (let time = 0; time < 2; time += 1) await expect(ask()).rejects.toThrow("is not what was written");
  const counted = async () =>
    /^vedette_damaged_values_total\{store="state"\} (\d+)/m.exec(await meters.registry.metrics())?.[1];
  await expect.poll(async () => Number(await counted())).toBeGreaterThanOrEqual(2);
  expect(lines.map(({ level, text }) => `${level}: ${text}`)).toEqual([
    expect.stringMatching(
      /^error: Damaged on disk: .*state\/data\.mdb, table history, under [0-9a-f]{64}\. It is not used; /,
    ),
  ]);
});

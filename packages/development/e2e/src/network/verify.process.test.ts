import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dag } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { makeData } from "@vedette/node/testing";
import { NatsServer } from "@vedette/replication/streamTesting";
import { LmdbStore, tablesOf } from "@vedette/store";
import { slowness, whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandProcess } from "./CommandProcess.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`workers that verify are not tried on a NATS server: ${why}\n`);
const blocks = 29;
const heights = 5;
const lieAt = 17;
/** Time after which the task of a killed worker is given to another one. */
const leaseSeconds = Math.ceil(4 * slowness());

interface Line {
  readonly type: string;
  readonly from?: number;
  readonly deliveries?: number;
  readonly result?: { readonly from: number; readonly finding: { readonly hash: string; readonly reason: string } };
  readonly progress?: { readonly verifiedTo: number | null; readonly segments: Readonly<Record<string, number>> };
}

describe.skipIf(why !== undefined)("workers that verify a history", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-verify-test-"));
  const [right, other, wrong] = ["right", "other", "wrong"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let server: NatsServer;
  const running: CommandProcess[] = [];

  beforeAll(async () => {
    server = await NatsServer.start();
    let now = 1_700_000_000_000;
    const nowMs = () => (now += 1_000);
    await makeData(right, blocks, { nowMs });
    await makeData(other, 2, { nowMs });
    await makeData(wrong, blocks, { nowMs, liesAt: lieAt });
  });
  afterAll(async () => {
    for (const one of running) await one.end("SIGKILL");
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const begin = (command: string, path: string, network: string, more: readonly string[] = []) => {
    const made = new CommandProcess([
      ...[command, `--data-dir=${path}`, `--network-id=${network}`, `--nats=${server.url}`, "--json", ...more],
    ]);
    running.push(made);
    return made;
  };
  const worker = (path: string, network: string, name: string) =>
    begin("verify-worker", path, network, [`--name=${name}`, "--max-number-of-parents=1"]);
  const coordinator = (path: string, network: string) =>
    begin("verify-history", path, network, [`--task-size=${heights}`, `--lease=${leaseSeconds}`, "--once"]);
  const untilReported = (one: CommandProcess, type: string) =>
    expect.poll(() => linesOf(one).some((line) => line.type === type)).toBe(true);

  test("verify all of it, though one is killed amid its blocks and one has another chain", async () => {
    const stranger = worker(other, "right", "stranger");
    await untilReported(stranger, "begun");
    const all = coordinator(right, "right");
    await untilReported(stranger, "gaveBack");
    const killed = worker(right, "right", "killed");
    await untilReported(killed, "took");
    expect(await killed.end("SIGKILL")).toBe("SIGKILL");
    expect(linesOf(killed).filter(({ type }) => type === "verified")).toEqual([]);
    const two = [worker(right, "right", "one"), worker(right, "right", "two")];
    expect(await all.ended(), [all, stranger, ...two].map(({ said }) => said).join("\n")).toBe(0);
    expect(linesOf(all).findLast(({ type }) => type === "progress")?.progress).toMatchObject({
      verifiedTo: blocks,
      segments: { verified: Math.ceil((blocks + 1) / heights), differing: 0, unverified: 0, left: 0 },
    });
    const taken = linesOf(killed).find(({ type }) => type === "took")!;
    const again = two.flatMap((one) => linesOf(one)).find(({ type, from }) => type === "took" && from === taken.from);
    // A task that the worker with the other chain had too often is queued again.
    const isAnew = linesOf(stranger).some(({ type, result }) => type === "verified" && result?.from === taken.from);
    expect(again?.deliveries).toBeGreaterThan(isAnew ? 0 : 1);
    // Results are stored: no worker verifies the history again.
    expect(await coordinator(right, "right").ended()).toBe(0);
    for (const one of [stranger, ...two]) expect(await one.end("SIGTERM")).toBe(143);
  });

  test("name the block that leads elsewhere than it states", async () => {
    worker(wrong, "wrong", "one");
    const all = coordinator(wrong, "wrong");
    expect(await all.ended()).toBe(1);
    const lines = linesOf(all);
    expect(lines.findLast(({ type }) => type === "progress")?.progress).toMatchObject({
      verifiedTo: lieAt - (lieAt % heights) - 1,
      segments: { differing: 1, unverified: 0, left: 0 },
    });
    const { finding } = lines.find(({ type }) => type === "differs")!.result!;
    await using store = new LmdbStore(join(wrong, "chain"), { tables: tablesOf("chain"), readOnly: true });
    const [lie] = [...new Dag(store).blocksByHeight(BigInt(lieAt), BigInt(lieAt))];
    expect(finding.hash).toBe(toHex(lie!.hash));
    expect(finding.reason).toMatch(/^InvalidTransaction: it states that it leads to [0-9a-f]{64}, and by its deploys/);
  });
});

function linesOf({ said }: CommandProcess): Line[] {
  return said
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Line);
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rnodeScala } from "@vedette/protocol";
import { freePort, goProgram, whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findManifests, findSnapshot } from "../findSnapshots.js";
import { pruneSnapshots } from "../pruneSnapshots.js";
import { testPlace } from "../testing/placeContract.js";
import { RestoredNode, SnapshotWorld } from "../testing/SnapshotWorld.js";
import { verifySnapshot } from "../verifySnapshot.js";
import { S3Place } from "./S3Place.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`snapshots are not tried on an S3 server: ${why}\n`);
const folder = mkdtempSync(join(tmpdir(), "vedette-s3-"));
const access = { id: "vedette", secret: "a-secret-of-this-test" };
let server: ChildProcess | undefined;
let endpoint = "";

async function start(port: number): Promise<void> {
  const args = ["--access", access.id, "--secret", access.secret, "--port", `127.0.0.1:${port}`, "posix", folder];
  const program = goProgram("github.com/versity/versitygw/cmd/versitygw", "v1.8.0");
  server = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  for (let isOpen = false; !isOpen; ) {
    if (server.exitCode !== null) throw new Error(`versitygw has ended with ${server.exitCode}`);
    const socket = connect(port, "127.0.0.1");
    isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isOpen) await sleep(50);
  }
}

async function stop(): Promise<void> {
  if (server === undefined || server.exitCode !== null) return;
  const ended = once(server, "exit");
  server.kill();
  await ended;
}

describe.skipIf(why !== undefined)("a bucket of a real S3 server", () => {
  let port: number;

  beforeAll(async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", access.id);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", access.secret);
    mkdirSync(join(folder, "bucket"));
    port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    await start(port);
  }, 900_000);
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  testPlace(() => new S3Place("bucket", "contract/", { endpoint }));

  test("holds snapshots that nodes begin with, that are verified, and thrown away", async () => {
    const place = new S3Place("bucket", "chain/", { endpoint });
    const world = await SnapshotWorld.begin(3);
    await world.create(place);
    await world.grow();
    await world.create(place);
    const manifest = await findSnapshot(place, undefined);
    const options = { dialect: rnodeScala, tell: () => {}, signal: new AbortController().signal };
    expect((await verifySnapshot(place, manifest, options)).blocks).toBe(5);
    expect((await new RestoredNode().restore(place, manifest)).number).toBe(4n);
    const dayMs = 86_400_000;
    const { snapshots, chunks } = await pruneSnapshots(place, { keep: 1, nowMs: Date.now() + 2 * dayMs });
    expect([snapshots.length, chunks > 0]).toEqual([1, true]);
    expect((await findManifests(place)).map(({ block }) => block.number)).toEqual([4]);
    await verifySnapshot(place, manifest, options);
  }, 120_000);

  test("is waited for while the server is away, and refuses a wrong key at once", async () => {
    const place = new S3Place("bucket", "away/", { endpoint, firstWaitMs: 500 });
    await stop();
    const put = place.put("chunks/one", Uint8Array.of(1, 2, 3));
    await sleep(200);
    await start(port);
    await put;
    expect(await place.get("chunks/one", 3)).toEqual(Uint8Array.of(1, 2, 3));
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another");
    await expect(new S3Place("bucket", "", { endpoint }).list("")).rejects.toThrow(
      "access is refused (SignatureDoesNotMatch)",
    );
  }, 120_000);
});

import { setTimeout as sleep } from "node:timers/promises";
import { rnode } from "@vedette/protocol";
import { S3Server, whyNoGo } from "@vedette/testing";
import { rnodeSpace } from "@vedette/tuplespace";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findManifests, findSnapshot } from "../findSnapshots.js";
import { pruneSnapshots } from "../pruneSnapshots.js";
import { testPlace } from "../testing/placeContract.js";
import { RestoredNode, SnapshotWorld } from "../testing/SnapshotWorld.js";
import { verifySnapshot } from "../verifySnapshot.js";
import { S3Storage } from "./S3Storage.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`snapshots are not tried on an S3 server: ${why}\n`);
let server: S3Server;
let endpoint = "";

describe.skipIf(why !== undefined)("a bucket of a real S3 server", () => {
  beforeAll(async () => {
    server = await S3Server.start();
    for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
    endpoint = server.endpoint;
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  testPlace(() => new S3Storage(server.bucket, "contract/", { endpoint }));

  test("holds snapshots that nodes begin with, that are verified, and thrown away", async () => {
    const place = new S3Storage(server.bucket, "chain/", { endpoint });
    const world = await SnapshotWorld.begin(3);
    await world.create(place);
    await world.grow();
    await world.create(place);
    const manifest = await findSnapshot(place, undefined);
    const options = { dialect: rnode, form: rnodeSpace, report: () => {}, signal: new AbortController().signal };
    expect((await verifySnapshot(place, manifest, options)).blocks).toBe(5);
    expect((await new RestoredNode().restore(place, manifest)).number).toBe(4n);
    const dayMs = 86_400_000;
    const { snapshots, chunks } = await pruneSnapshots(place, { keep: 1, nowMs: Date.now() + 2 * dayMs });
    expect([snapshots.length, chunks > 0]).toEqual([1, true]);
    expect((await findManifests(place)).map(({ block }) => block.number)).toEqual([4]);
    await verifySnapshot(place, manifest, options);
  });

  test("is waited for while the server is away, and refuses a wrong key at once", async () => {
    const place = new S3Storage(server.bucket, "away/", { endpoint, firstWaitMs: 500 });
    await server.kill();
    const put = place.put("chunks/one", Uint8Array.of(1, 2, 3));
    await sleep(200);
    await server.begin();
    await put;
    expect(await place.get("chunks/one", 3)).toEqual(Uint8Array.of(1, 2, 3));
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another");
    await expect(new S3Storage(server.bucket, "", { endpoint }).list("")).rejects.toThrow(
      "access is refused (SignatureDoesNotMatch)",
    );
  });
});

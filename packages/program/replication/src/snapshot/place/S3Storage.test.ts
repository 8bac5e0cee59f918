import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findSnapshot } from "../findSnapshots.js";
import { chunkFolder } from "../manifest/names.js";
import { type Fault, FaultyS3 } from "../testing/FaultyS3.js";
import { testPlace } from "../testing/placeContract.js";
import { RestoredNode, SnapshotWorld } from "../testing/SnapshotWorld.js";
import { openPlace } from "./openPlace.js";
import { type S3Options, S3Storage } from "./S3Storage.js";

const tries = 3;
const blocks = 3;
let world: SnapshotWorld;
let server: FaultyS3;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test-secret");
  server = await FaultyS3.start();
  world = await SnapshotWorld.begin(blocks);
});
beforeEach(() => {
  server.fault = () => undefined;
  server.asked.length = 0;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
});

/** A time in which every answer comes, on the slowest machine. */
const patientMs = 3_600_000;
const impatientMs = 100;
const open = (prefix: string, options: Pick<S3Options, "patienceMs" | "tries"> = {}) =>
  new S3Storage("bucket", prefix, {
    endpoint: server.endpoint,
    tries,
    firstWaitMs: 1,
    patienceMs: patientMs,
    ...options,
  });

/** Faults of the first answers about chunks. */
function faultOnce(kind: Fault, times = 1): void {
  let left = times;
  server.fault = (method, key) => (method === "GET" && key.includes(chunkFolder) && left-- > 0 ? kind : undefined);
}

describe("a bucket", () => testPlace(() => open("some/prefix/")));

describe("a store that fails", () => {
  let place: S3Storage;

  beforeAll(async () => {
    place = open("chain/");
    await world.create(place);
  });

  test.each(["refuse", "reset", "half", "otherByte", "slow", "silent"] as const)(
    "for a moment (%s) gets the request again, and the state is whole",
    async (kind) => {
      faultOnce(kind);
      const node = new RestoredNode();
      const isLate = kind === "slow" || kind === "silent";
      // On a slow machine other answers are late too, and are requested again as well.
      const asked = isLate ? open("chain/", { patienceMs: impatientMs, tries: 10_000 }) : place;
      expect((await node.restore(asked, await findSnapshot(place, undefined))).number).toBe(BigInt(blocks));
    },
  );

  test.each([
    ["refuse", `the server answers 500 (InternalError) (tried ${tries} times)`],
    ["reset", `(tried ${tries} times)`],
    ["half", `(tried ${tries} times)`],
    ["slow", "it gave too little in 0.1 s"],
    ["silent", "it gave too little in 0.1 s"],
    ["otherByte", "is wrong"],
    ["deny", "access is refused (AccessDenied); check the credentials"],
  ] as const)("for good (%s) is reported after a few tries, and nothing has begun", async (kind, words) => {
    const manifest = await findSnapshot(place, undefined);
    faultOnce(kind, Number.POSITIVE_INFINITY);
    server.asked.length = 0;
    const node = new RestoredNode();
    const isLate = kind === "slow" || kind === "silent";
    const asked = isLate ? open("chain/", { patienceMs: impatientMs }) : place;
    await expect(node.restore(asked, manifest)).rejects.toThrow(words);
    expect(node.dag.lastFinalized()).toBeUndefined();
    // Some chunks are fetched ahead, and each has its tries.
    expect(server.asked.length).toBeLessThanOrEqual(tries * manifest.chunks.length);
    if (kind === "deny") expect(server.asked.length).toBeLessThanOrEqual(manifest.chunks.length);
  });

  test("while a snapshot is written leaves none that can be seen, and the next call goes on", async () => {
    const broken = open("broken/");
    let left = 1;
    server.fault = (method, key) => (method === "PUT" && key.includes("manifests/") && left > 0 ? "deny" : undefined);
    await expect(world.create(broken)).rejects.toThrow("access is refused");
    await expect(findSnapshot(broken, undefined)).rejects.toThrow("has no snapshot at all");
    left = 0;
    server.asked.length = 0;
    await world.create(broken);
    expect(server.asked.filter((one) => one.startsWith("PUT"))).toHaveLength(1);
  });
});

test("what cannot be used is reported: no such bucket, no server, no credentials, no place", async () => {
  await expect(new S3Storage("nowhere", "", { endpoint: server.endpoint, tries }).list("")).rejects.toThrow(
    "s3://nowhere/ cannot be used for snapshots: there is no such bucket",
  );
  const closed = new S3Storage("bucket", "", { endpoint: "http://127.0.0.1:1", tries, firstWaitMs: 1 });
  await expect(closed.has("x")).rejects.toThrow(/ECONNREFUSED.* \(tried 3 times\)/);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
  vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent");
  await expect(open("").has("x")).rejects.toThrow("there are no credentials");
  await expect(openPlace("gs://bucket")).rejects.toThrow("give a folder, or s3://bucket/prefix");
  await expect(openPlace("s3://B")).rejects.toThrow("the name of a bucket");
  await expect(openPlace("s3://bucket", { endpoint: "localhost" })).rejects.toThrow("--endpoint must be a URL");
  expect((await openPlace("s3://bucket/a/b/", { endpoint: server.endpoint })).label).toBe("s3://bucket/a/b/");
  expect((await openPlace("/mnt/snapshots")).label).toBe("/mnt/snapshots");
});

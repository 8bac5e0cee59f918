import { TestQueries } from "@vedette/queries/testing";
import { afterAll, expect, test } from "vitest";
import { OncePerChange } from "./OncePerChange.js";
import { createHttpServer } from "./server.js";

const paths = ["/status", "/api/status", "/health/ready"];
const queries = TestQueries.empty().queries();
const usual = queries.status.now();
const phases = ["following", "replaying", "connecting"] as const;
let [changes, height] = [0, 0];

function current() {
  const phase = phases[height % phases.length]!;
  return { ...usual, syncStatus: { ...usual.syncStatus, phase, blockNumber: BigInt(height) } };
}

function change(): void {
  [changes, height] = [changes + 1, height + 1];
}

const status = { ...queries.status, changes: () => changes, now: current };
const server = createHttpServer({ queries: { ...queries, status }, metrics: async () => "" });
afterAll(() => server.close());

async function seenAt(path: string): Promise<[number, string]> {
  const { statusCode, json } = await server.inject(path);
  const { blockNumber, phase } = (json() as { syncStatus: { blockNumber: number; phase: string } }).syncStatus;
  return [blockNumber, `${phase} ${statusCode}`];
}

test("who asks after a change gets the new answer, however changes and requests are interleaved", async () => {
  for (let step = 0; step < 300; step += 1) {
    // Some steps have no change, some several, some have requests under way when it happens.
    const asked = step % 3 === 0 ? [] : paths.map((path) => ({ path, from: height, answer: seenAt(path) }));
    for (let count = step % 4; count > 0; count -= 1) change();
    for (const path of paths) {
      const phase = phases[height % phases.length]!;
      const code = path === "/health/ready" && phase !== "following" ? 503 : 200;
      expect(await seenAt(path)).toEqual([height, `${phase} ${code}`]);
    }
    for (const { from, answer } of asked) expect((await answer)[0]).toBeGreaterThanOrEqual(from);
  }
});

test("the answer is made once between two changes", () => {
  let [version, prints, nowMs] = [0, 0, 0];
  const answer = new OncePerChange(
    () => version,
    () => ({ text: String((prints += 1)) }),
    () => nowMs,
  );
  const first = answer.now();
  expect(answer.now()).toBe(first);
  expect(first.printed.bytes).toBe(answer.now().printed.bytes);
  version += 1;
  expect(answer.now().printed.bytes.toString()).toBe("2");
  // A value without events is read again after a moment.
  nowMs += 26;
  expect(answer.now().printed.bytes.toString()).toBe("3");
});

test("a change while the answer is made counts for the next one", () => {
  let version = 0;
  const answer = new OncePerChange(
    () => version,
    () => ({ text: `${version++}` }),
    () => 0,
  );
  expect([answer.now(), answer.now()].map(({ printed }) => printed.bytes.toString())).toEqual(["0", "1"]);
});

test("one that cannot be made fails each who asks, and is made for the next", () => {
  let isThere = false;
  const answer = new OncePerChange(
    () => 0,
    () => {
      if (!isThere) throw new Error("not yet");
      return { text: "there" };
    },
    () => 0,
  );
  expect(() => answer.now()).toThrow("not yet");
  expect(() => answer.now()).toThrow("not yet");
  isThere = true;
  expect(answer.now().printed.bytes.toString()).toBe("there");
});

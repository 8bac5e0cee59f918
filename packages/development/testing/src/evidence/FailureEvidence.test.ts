import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FailureEvidence, type Witness } from "./FailureEvidence.js";
import { nodeWitness } from "./processEvidence.js";

let folder: string;
let evidence: FailureEvidence;
const running = { file: "packages/one/src/kills.test.ts", titles: ["a group", "nodes that are killed: 2/3?"] };

/** A process that answers until it is ended. */
class FakeProcess {
  isRunning = true;
  readonly witness: Witness;

  constructor(name = "observer") {
    const ask = async () => {
      if (!this.isRunning) throw new Error("the process has ended");
      return "it follows";
    };
    this.witness = { name, files: { "log.txt": () => "a line", "status.json": ask } };
    evidence.add(this.witness);
  }

  dismiss(): Promise<void> {
    return evidence.dismiss([this.witness], async () => {
      this.isRunning = false;
    });
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-evidence-"));
  evidence = new FailureEvidence(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("a test that fails leaves what its processes printed while they ran, though it had dismissed them", async () => {
  evidence.begin(running);
  const node = new FakeProcess();
  await node.dismiss();
  expect(node.isRunning).toBe(true);
  const kept = await evidence.end(true);
  expect(kept).toBe(join(folder, running.file, "a-group", "nodes-that-are-killed-2-3"));
  expect(readFileSync(join(kept!, "observer", "log.txt"), "utf8")).toBe("a line");
  expect(readFileSync(join(kept!, "observer", "status.json"), "utf8")).toBe("it follows");
  expect(node.isRunning).toBe(false);
});

test("a test that passes leaves nothing, and its processes end with it", async () => {
  evidence.begin(running);
  const node = new FakeProcess();
  await node.dismiss();
  expect(await evidence.end(false)).toBeUndefined();
  expect(node.isRunning).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test("what a file shares is kept by a test that fails and by hooks that fail, and ends with the file", async () => {
  evidence.begin({ ...running, titles: ["its hooks"] });
  const shared = new FakeProcess("shared");
  evidence.begin(running);
  expect(readdirSync((await evidence.end(true))!)).toEqual(["shared"]);
  await shared.dismiss();
  expect(shared.isRunning).toBe(true);
  expect(await evidence.end(true)).toBe(join(folder, running.file, "its-hooks"));
  expect(shared.isRunning).toBe(false);
});

test("processes end at once where no test runs", async () => {
  const node = new FakeProcess();
  await node.dismiss();
  expect(node.isRunning).toBe(false);
});

test("a process that has ended before is reported so in its file, and hides no other process", async () => {
  evidence.begin(running);
  const [killed, other] = [new FakeProcess(), new FakeProcess()];
  killed.isRunning = false;
  const kept = (await evidence.end(true))!;
  expect(readdirSync(kept).sort()).toEqual(["observer", "observer-2"]);
  expect(readFileSync(join(kept, "observer", "status.json"), "utf8")).toMatch(
    /^not there: Error: the process has ended/,
  );
  expect(readFileSync(join(kept, "observer-2", "status.json"), "utf8")).toBe("it follows");
  expect(other.isRunning).toBe(true);
});

test("a test has nothing to do with processes that ended before it, or that its predecessor dismissed", async () => {
  evidence.begin(running);
  await new FakeProcess("dismissed").dismiss();
  evidence.add({ name: "ended", files: {}, hasEnded: () => true });
  await evidence.end(false);
  evidence.begin(running);
  expect(await evidence.end(true)).toBeUndefined();
  expect(existsSync(join(folder, running.file))).toBe(false);
});

test("the evidence of an earlier run is replaced", async () => {
  for (const name of ["first", "second"]) {
    evidence.begin(running);
    await new FakeProcess(name).dismiss();
    expect(readdirSync((await evidence.end(true))!)).toEqual([name]);
  }
});

test("processes end in the order in which they were dismissed, what others need last", async () => {
  evidence.begin(running);
  const ended: string[] = [];
  for (const name of ["replica", "network", "server"])
    await evidence.dismiss([], async () => {
      ended.push(name);
    });
  await evidence.end(false);
  expect(ended).toEqual(["replica", "network", "server"]);
});

test("an end that goes wrong is reported once all have been ended", async () => {
  evidence.begin(running);
  const node = new FakeProcess();
  await node.dismiss();
  await evidence.dismiss([], () => Promise.reject(new Error("the folder is not empty")));
  await expect(evidence.end(false)).rejects.toThrow("the folder is not empty");
  expect(node.isRunning).toBe(false);
});

test("of a node its log, its status and its whole DAG are kept", async () => {
  const server = createServer(({ url }, response) => {
    const [from, to] = url!.split("/").slice(3).map(Number);
    const heights = Array.from({ length: to! - from! + 1 }, (_, at) => ({ blockNumber: from! + at }));
    const answer = url === "/status" ? { syncStatus: { blockNumber: 60 } } : heights;
    if (url === "/health/ready") response.end("not ready");
    else response.end(JSON.stringify(url!.startsWith("/api/last") ? { blockInfo: {} } : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const { files } = nodeWitness("observer", () => "a line", `http://127.0.0.1:${port}`);
    expect(JSON.parse(await files["status.json"]!())).toEqual({
      "/status": { syncStatus: { blockNumber: 60 } },
      "/api/last-finalized-block": { blockInfo: {} },
      "/health/ready": "200 not ready",
    });
    const dag = JSON.parse(await files["dag.json"]!()) as readonly { blockNumber: number }[];
    expect(dag.map(({ blockNumber }) => blockNumber)).toEqual(Array.from({ length: 61 }, (_, at) => at));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

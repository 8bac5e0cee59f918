import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeHttpNode } from "@vedette/client/fakes";
import { EmulatedTerminal } from "@vedette/terminal/testing";
import { until } from "@vedette/testing";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../client/testing/runCommand.js";
import { metricSum } from "./readNode.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hash = "ab".repeat(32);
const reason = "1 of 3 validators silent since 2026-01-02T03:04:05Z";
const status = {
  ...{ address: "rnode://a@b?protocol=1&discovery=2", version: "Vedette 1", peers: 3, nodes: 4, peerList: [] },
  syncStatus: {
    ...{ phase: "following", blockNumber: 12, bestPeerBlockNumber: 13, finalizedBlockNumber: 10 },
    progress: { unit: "blocks", done: 12, total: 13, perSecond: 2 },
    ...{ blocksPerSecond: 2, secondsLeft: 0, peers: 3, unvalidatedBlocks: 0, revalidatedBlocks: 0, lastError: null },
    ...{ bottleneck: null, sources: [] },
    finality: {
      validators: 3,
      inactiveValidators: [{ publicKey: "04aa", stake: 1, silentSince: "2026-01-02T03:04:05.000Z" }],
      ...{ standsSince: null, reason },
    },
  },
};
const metrics = [
  "# HELP x y",
  'vedette_http_requests_total{route="/status"} 40',
  'vedette_http_requests_total{route="/blocks"} 2',
  "vedette_private_memory_bytes 104857600",
].join("\n");

function node(sync: object = {}): Promise<FakeHttpNode> {
  const answer = { ...status, syncStatus: { ...status.syncStatus, ...sync } };
  return FakeHttpNode.start(({ path }) =>
    path === "/status" ? JSON.stringify(answer) : { type: "text/plain; charset=UTF-8", text: metrics },
  );
}

const place = ({ url }: FakeHttpNode) => ["-H", "127.0.0.1", "--http-port", new URL(url).port];

test("top without a terminal prints a line for each look", async () => {
  await using fake = await node();
  const run = await runCommand(["top", "-n", "1", ...place(fake)]);
  expect(run).toEqual({
    exitCode: 0,
    output: `phase following, block 12/13, finalized 10, 2.0 blocks/s, 3 peers, validators 3, 1 of them silent, memory 100 MB, – requests/s, ${reason}\n`,
    errors: "",
  });
  const json = JSON.parse((await runCommand(["top", "-n", "1", "--json", ...place(fake)])).output);
  expect(json).toMatchObject({ version: "Vedette 1", memoryBytes: 104_857_600, syncStatus: { blockNumber: 12 } });
});

test("top shows a node of an earlier version, with other names in its status", async () => {
  const { unvalidatedBlocks, revalidatedBlocks, bottleneck, finality, ...sync } = status.syncStatus;
  const { inactiveValidators, ...same } = finality;
  const earlier = {
    ...{ ...sync, unjudgedBlocks: unvalidatedBlocks, revisedVerdicts: revalidatedBlocks, limitedBy: bottleneck },
    finality: { ...same, silentValidators: inactiveValidators },
  };
  await using fake = await FakeHttpNode.start(({ path }) =>
    path === "/status" ? JSON.stringify({ ...status, syncStatus: earlier }) : { type: "text/plain", text: metrics },
  );
  const { exitCode, output } = await runCommand(["top", "-n", "1", ...place(fake)]);
  expect([exitCode, output]).toEqual([0, expect.stringContaining("validators 3, 1 of them silent")]);
});

test("top shows what is wrong with a node, by its name", async () => {
  const condition = {
    ...{ code: "diskFull", since: "2026-01-02T03:04:05.000Z", reason: "the disk has 1 MB free", isUnready: true },
    advice: "Free some space.",
  };
  await using fake = await node({ conditions: [condition], lastError: condition.reason });
  const { output } = await runCommand(["top", "-n", "1", ...place(fake)]);
  expect(output).toContain(`– requests/s, diskFull, ${reason}\n`);
  const screen = new EmulatedTerminal(80, 24);
  await runCommand(["top", "-n", "1", ...place(fake)], { screen, isTerminal: true });
  expect(await screen.lines()).toContain("diskFull: the disk has 1 MB free. Free some space.");
});

test("top on a terminal is one view that is painted again", async () => {
  await using fake = await node();
  const screen = new EmulatedTerminal(80, 24);
  const run = await runCommand(["top", "-n", "2", ...place(fake)], { screen, isTerminal: true });
  expect([run.exitCode, run.output]).toEqual([0, ""]);
  expect(await screen.lines()).toEqual([
    "",
    `Vedette 1 at ${fake.url}`,
    "phase       following",
    "block       12 of 13 that peers have",
    "finalized   10",
    "blocks/s    2.0",
    "peers       3",
    "validators  3, 1 of them silent",
    "memory      100 MB",
    "requests/s  0.0",
    reason,
    "",
    "Ctrl-C ends the view.",
  ]);
});

test("top draws how far a node is that is behind, and how much of the chain it has verified itself", async () => {
  await using fake = await node({
    ...{ phase: "replaying", bottleneck: "fetching", secondsLeft: 200 },
    progress: { unit: "blocks", done: 600, total: 1_200, perSecond: 3 },
    sources: [{ address: "rnode://a@b", nodeId: "a", given: 40 }],
    verifiedFrom: 501,
    history: { phase: "replaying", blockNumber: 125, target: 500, blocksPerSecond: 20, reason: null },
  });
  const screen = new EmulatedTerminal(100, 24);
  await runCommand(["top", "-n", "1", ...place(fake)], { screen, isTerminal: true });
  expect(await screen.lines()).toEqual(
    expect.arrayContaining([
      "progress    ████████████░░░░░░░░░░░░ 50 %, 3.0 blocks/s, 3 min left, waits for peers",
      "given by    rnode://a@b (40)",
      "history     replaying: ██████░░░░░░░░░░░░░░░░░░ 25 %, 20 blocks/s; verified from block 501",
    ]),
  );
});

test("top fails at once where no node listens", async () => {
  const run = await runCommand(["top", "-H", "127.0.0.1", "--http-port", "1"]);
  expect([run.exitCode, run.errors]).toEqual([1, expect.stringContaining("no node at http://127.0.0.1:1")]);
});

test("a metric is summed over its labels, and is unknown where it is not there", () => {
  expect(metricSum(metrics, "vedette_http_requests_total")).toBe(42);
  expect(metricSum(metrics, "vedette_http_requests")).toBeUndefined();
  expect(metricSum('x{a="b c"} NaN', "x")).toBeUndefined();
});

const block = {
  ...{ kind: "blockFinalized", cursor: "aa-1-0-0", blockHash: hash, blockNumber: 7, parents: [hash], sender: "04bb" },
  ...{ seqNum: 1, timestamp: 5, preStateHash: hash, postStateHash: hash, deployCount: 0, rejectedDeploys: [] },
};

function events(): Promise<FakeHttpNode> {
  return FakeHttpNode.start(() => (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=UTF-8" });
    const all = [
      { kind: "started", cursor: "aa-0", names: [] },
      block,
      { ...block, cursor: "aa-2-0-0", blockNumber: 8 },
    ];
    for (const event of all) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
}

test("events are lines: hashes whole in a pipe, short on a terminal; JSON is one value a line", async () => {
  await using fake = await events();
  const args = ["events", "--kind", "blockFinalized", "--after", "oldest", "-n", "2", ...place(fake)];
  const piped = await runCommand(args);
  expect(piped.exitCode).toBe(0);
  const [first, second, ...rest] = piped.output.split("\n");
  expect(first).toBe(
    `blockFinalized  #7 blockHash=${hash} parents=["${hash}"] sender=04bb seqNum=1 timestamp=5 preStateHash=${hash} postStateHash=${hash} deployCount=0 aa-1-0-0`,
  );
  expect([second?.startsWith("blockFinalized  #8 "), rest]).toEqual([true, [""]]);
  const shown = await runCommand(args, { isTerminal: true });
  expect(shown.output).toContain('blockHash=ababababab… parents=["ababababab…"]');
  const json = (await runCommand([...args, "--json"])).output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(json).toEqual([block, { ...block, cursor: "aa-2-0-0", blockNumber: 8 }]);
  expect(new URL(`http://x${fake.requests[0]!.path}`).searchParams.toString()).toBe("kind=blockFinalized&after=oldest");
});

test("following ends when the user interrupts; an unknown kind of event is refused with the known ones", async () => {
  await using fake = await events();
  const ending = new AbortController();
  const run = runCommand(["events", "--follow", ...place(fake)], { signal: ending.signal });
  await until("the request", () => fake.requests.length > 0);
  ending.abort();
  expect((await run).exitCode).toBe(130);
  const wrong = await runCommand(["events", "--kind", "nothing"]);
  expect([wrong.exitCode, wrong.errors]).toEqual([1, expect.stringContaining("chainStarted, blockAdded")]);
});

test("logs of a local network: the last lines, of one node or of all, and what comes", async () => {
  const directory = join(folder, "network");
  for (const name of ["bootstrap", "validator1"]) mkdirSync(join(directory, name), { recursive: true });
  const nodes = ["bootstrap", "validator1", "observer"].map((name) => ({ name, role: name, ports: {} }));
  writeFileSync(join(directory, "network.json"), JSON.stringify({ kind: "vedette local network", nodes }));
  const log = join(directory, "validator1", "node.log");
  writeFileSync(log, "one\ntwo\n\x1b[2Jthree\n");
  writeFileSync(join(directory, "bootstrap", "node.log"), "first\n");
  const at = ["--dir", directory];
  expect((await runCommand(["logs", "-n", "2", ...at])).output).toBe(
    "bootstrap  first\nvalidator1 two\nvalidator1 ?[2Jthree\n",
  );
  expect((await runCommand(["logs", "validator1", "--grep", "t", ...at])).output).toBe("two\n?[2Jthree\n");
  expect((await runCommand(["logs", "validator1", "-n", "1", "--json", ...at])).output).toBe(
    '{"node":"validator1","line":"?[2Jthree"}\n',
  );
  const unknown = await runCommand(["logs", "unknown", ...at]);
  expect([unknown.exitCode, unknown.errors]).toEqual([1, expect.stringContaining("bootstrap, validator1, observer")]);
  const none = await runCommand(["logs", "--dir", join(folder, "empty")]);
  expect([none.exitCode, none.errors]).toEqual([1, expect.stringContaining("There is no local network in")]);
});

test("following goes on over a log that is put aside for a new one", async () => {
  const directory = join(folder, "growing");
  mkdirSync(join(directory, "validator1"), { recursive: true });
  const nodes = [{ name: "validator1", role: "validator", ports: {} }];
  writeFileSync(join(directory, "network.json"), JSON.stringify({ kind: "vedette local network", nodes }));
  const log = join(directory, "validator1", "node.log");
  writeFileSync(log, "one\ntw");
  const ending = new AbortController();
  const printed: string[] = [];
  let wake: (() => void) | undefined;
  const run = runCommand(["logs", "-f", "--dir", directory], {
    signal: ending.signal,
    onPrint: (text) => {
      printed.push(text);
      wake?.();
    },
  });
  const until = async (count: number) => {
    while (printed.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  await until(1);
  appendFileSync(log, "o\n");
  await until(2);
  renameSync(log, `${log}.1`);
  writeFileSync(log, "3\n");
  await until(3);
  ending.abort();
  expect((await run).exitCode).toBe(130);
  expect(printed).toEqual(["one", "two", "3"]);
});

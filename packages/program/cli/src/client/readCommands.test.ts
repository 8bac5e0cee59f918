import { blockFixture, FakeHttpNode, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { expect, test } from "vitest";
import { blockList, type Deploys, hash, refusal, validator } from "./testing/readFixtures.js";
import { runOnFake } from "./testing/runCommand.js";

test("status in rnode's form, and for programs", async () => {
  const deploys: Deploys = {
    status: () => ({
      message: {
        case: "status",
        value: {
          version: { api: "1", node: "RChain Node 1.0.0-SNAPSHOT (unknown)" },
          address: "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404",
          networkId: "devnet1",
          shardId: "root",
          peers: 1,
          nodes: 1,
          minPhloPrice: 9_223_372_036_854_775_807n,
          peerList: [{ nodeId: "aa", isConnected: true }],
        },
      },
    }),
  };
  expect((await runOnFake({ deploys }, ["status"])).output).toBe(`version {
  api: "1"
  node: "RChain Node 1.0.0-SNAPSHOT (unknown)"
}
address: "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404"
networkId: "devnet1"
shardId: "root"
peers: 1
nodes: 1
minPhloPrice: 9223372036854775807
peerList {
  nodeId: "aa"
  isConnected: true
}
`);
  const { output } = await runOnFake({ deploys }, ["status", "--json"]);
  expect(output).toContain('"minPhloPrice":9223372036854775807,"peerList":[{"address":"","nodeId":"aa"');
});

test("status shows the conditions that the node's HTTP API reports, and ignores another node's", async () => {
  const address = "rnode://0d13@10.0.0.5?protocol=40400&discovery=40404";
  const deploys: Deploys = { status: () => ({ message: { case: "status", value: { address } } }) };
  const since = "2026-01-02T03:04:05.000Z";
  const condition = { code: "diskFull", since, reason: "no room", advice: "Free some space.", isUnready: true };
  const syncStatus = {
    ...{ phase: "following", blockNumber: 1, bestPeerBlockNumber: 1, finalizedBlockNumber: 1, secondsLeft: 0 },
    progress: { unit: "blocks", done: 1, total: 1, perSecond: 0 },
    ...{ blocksPerSecond: 0, peers: 1, unvalidatedBlocks: 0, revalidatedBlocks: 0, lastError: null, bottleneck: null },
    ...{ sources: [], conditions: [condition] },
  };
  const fields = { version: "Vedette 1", peers: 1, nodes: 1, peerList: [], syncStatus };
  for (const [named, lines] of [
    [address, `diskFull since ${since}: no room. Free some space.\n`],
    ["rnode://other@10.0.0.6?protocol=40400&discovery=40404", ""],
  ] as const) {
    await using http = await FakeHttpNode.start(() => JSON.stringify({ address: named, ...fields }));
    const args = ["status", "--http-port", new URL(http.url).port];
    const run = await runOnFake({ deploys }, args);
    expect([run.errors, run.output.includes(address)]).toEqual([lines, true]);
    const json = JSON.parse((await runOnFake({ deploys }, [...args, "--json"])).output);
    expect(json.conditions).toEqual(lines === "" ? undefined : [condition]);
  }
});

test("blocks by depth and by heights, one line each", async () => {
  const line = (number: bigint, sender: string) =>
    `#${number}  ${hash}  ${sender.padEnd(16)}  2023-11-14T22:13:20.123Z  1 deploys  fault tolerance 0.33\n`;
  const run = await runOnFake({ deploys: blockList }, ["blocks", "2"]);
  expect(run.output).toBe(line(17n, validator.slice(0, 16)) + line(16n, validator.slice(0, 16)));
  const heights = await runOnFake({ deploys: blockList }, ["get-blocks-by-height", "-s", "0", "-e", "1"]);
  expect(heights.output).toBe(line(0n, "genesis") + line(1n, "genesis"));
  const json = await runOnFake({ deploys: blockList }, ["blocks", "-n", "1", "--json"]);
  expect(json.output).toContain('"bonds":[{"validator":"0487');
  expect(json.output).toContain('"stake":50000000000000001}],"blockSize":"4312"');
  expect(json.output).toContain('"faultTolerance":0.33333334');
  for (const args of [
    ["-s", "1"],
    ["-s", "2", "-e", "1"],
  ]) {
    expect((await runOnFake({ deploys: blockList }, ["blocks", ...args])).errors).toMatch(/Give both heights/);
  }
});

test("on a terminal blocks are a table with short hashes and ages, in a pipe all is whole", async () => {
  const run = await runOnFake({ deploys: blockList }, ["blocks", "2"], { isTerminal: true });
  const [titles, first, second, ...rest] = run.output.split("\n");
  expect(titles).toMatch(/^block +hash +made by +when +deploys +fault tolerance$/);
  expect(first).toMatch(/^ +#17 +[0-9a-f]{12}… +[0-9a-f]{12}… +\d{4}-\d\d-\d\dT[\d:]{8}Z, \d+ d ago +\d+ +-?[\d.]+$/);
  expect([second!.includes("#16"), rest]).toEqual([true, [""]]);
  expect((await runOnFake({ deploys: blockList }, ["blocks", "2"])).output).not.toContain("…");
});

test("an empty stream is explained", async () => {
  const none = { deploys: { async *getBlocks() {}, async *showMainChain() {}, async *visualizeDag() {} } };
  for (const command of ["blocks", "show-main-chain", "dag"]) {
    const run = await runOnFake(none, [command]);
    expect(run.exitCode).toBe(1);
    expect(run.errors).toMatch(/has not joined its network yet, or the request exceeds its limit/);
  }
});

test("show-blocks in rnode's form", async () => {
  const { output } = await runOnFake({ deploys: blockList }, ["show-blocks", "--depth", "2"]);
  expect(output).toMatch(/^\n------------- block 17 ---------------\nblockHash: "aa+"\nsender: "0487\w+"\nseqNum: 5\n/);
  expect(output).toMatch(/\n {2}latestBlockHash: "bb+"\n\}\n-{53}\n/);
  expect(output.endsWith("\n\ncount: 2\n")).toBe(true);
});

test("a block by the beginning of its hash", async () => {
  const { output } = await runOnFake({ deploys: blockList }, ["block", "0xAAAAAA"]);
  expect(output).toMatch(/^blockInfo \{\n {2}blockHash: "aa/);
  expect(output).toMatch(/\ndeploys \{\n {2}deployer: "0487\w+"\n {2}term: "new x in \{ x!\(1\) \}"\n/);
  const { output: json } = await runOnFake({ deploys: blockList }, ["show-block", "-b", hash, "--json"]);
  expect(JSON.parse(json).deploys[0]).toMatchObject({ cost: 162, errored: false, systemDeployError: "" });
  expect(JSON.parse((await runOnFake({ deploys: blockList }, ["lfb", "--json"])).output).blockInfo.blockNumber).toBe(
    17,
  );
  const unknown = await runOnFake({ deploys: blockList }, ["blocks", "--block-hash", "bbbbbb"]);
  expect(unknown).toMatchObject({ exitCode: 1, errors: "vedette: Error: Failure to find block with hash: bbbbbb\n" });
  expect((await runOnFake({ deploys: blockList }, ["block", "abc"])).errors).toMatch(
    /must be 6 to 64 hexadecimal digits/,
  );
  expect((await runOnFake({ deploys: blockList }, ["block"])).errors).toMatch(/Give the block's hash/);
});

test("is-finalized takes the first digits of a hash, and lists the blocks that begin so", async () => {
  const whole = "ab".repeat(32);
  const asked: string[] = [];
  const deploys: FakeServices["deploys"] = {
    getBlock: ({ hash: prefix }) =>
      prefix === "ababab"
        ? { message: { case: "blockInfo", value: blockFixture({ blockHash: whole }) } }
        : {
            message: {
              case: "error",
              value: { messages: [`Error: Several blocks have a hash that begins with ${prefix}`] },
            },
          },
    isFinalized: ({ hash: name }) => {
      asked.push(name);
      return { message: { case: "isFinalized", value: true } };
    },
  };
  expect(await runOnFake({ deploys }, ["is-finalized", "ababab"])).toMatchObject({ exitCode: 0 });
  expect(asked).toEqual([whole]);
  expect(await runOnFake({ deploys }, ["is-finalized", "cdcdcd"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("Several blocks have a hash that begins with cdcdcd"),
  });
});

test("is-finalized answers by its exit code, too", async () => {
  let asked = 0;
  const isFinalized: Deploys["isFinalized"] = () => ({ message: { case: "isFinalized", value: (asked += 1) > 1 } });
  const ask = (...args: string[]) => runOnFake({ deploys: { isFinalized } }, ["is-finalized", ...args]);
  expect(await ask(hash)).toEqual({ exitCode: 1, output: "Block is not finalized\n", errors: "" });
  expect(await ask(hash)).toEqual({ exitCode: 0, output: "Block is finalized\n", errors: "" });
  asked = 0;
  expect(JSON.parse((await ask("-b", hash, "--wait", "--json")).output)).toEqual({
    blockHash: hash,
    isFinalized: true,
  });
});

test("the DAG is drawn and listed", async () => {
  const queries: unknown[] = [];
  const deploys: Deploys = {
    async *visualizeDag({ depth, showJustificationLines }) {
      queries.push([depth, showJustificationLines]);
      for (const value of ['digraph "dag" {\n', "}\n"]) yield { message: { case: "content", value } };
    },
    machineVerifiableDag: () => ({ message: { case: "content", value: "aa bb\nbb cc" } }),
    async *showMainChain({ depth }) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: BigInt(depth) }) } };
    },
  };
  expect((await runOnFake({ deploys }, ["dag"])).output).toBe('digraph "dag" {\n}\n');
  const json = await runOnFake({ deploys }, ["vdag", "--depth", "3", "--showJustificationlines", "--json"]);
  expect(JSON.parse(json.output)).toEqual({ graphviz: 'digraph "dag" {\n}\n' });
  expect(queries).toEqual([
    [-1, false],
    [3, true],
  ]);
  expect((await runOnFake({ deploys }, ["mvdag"])).output).toBe("aa bb\nbb cc\n");
  expect(JSON.parse((await runOnFake({ deploys }, ["mvdag", "--json"])).output)[1]).toEqual({
    blockHash: "bb",
    parentHash: "cc",
  });
  expect((await runOnFake({ deploys }, ["show-main-chain", "-d", "4"])).output).toMatch(/^#4 {2}/);
});

test("a node's text cannot drive the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u009b2J\u202e\u2066\u200f\u061c\u2028";
  const deploys: Deploys = {
    getBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ shardId: evil }) } }),
    isFinalized: () => refusal(`no ${evil}`),
    machineVerifiableDag: () => ({ message: { case: "content", value: evil } }),
  };
  const runs = [
    await runOnFake({ deploys }, ["block", hash]),
    await runOnFake({ deploys }, ["is-finalized", hash]),
    await runOnFake({ deploys }, ["mvdag"]),
    await runOnFake({ deploys }, ["block", hash, "--json"]),
    await runOnFake({ deploys }, ["is-finalized", hash, "--json"]),
    await runOnFake({ deploys }, ["mvdag", "--json"]),
  ];
  for (const { output, errors } of runs) {
    for (const character of output + errors) {
      const code = character.charCodeAt(0);
      expect(code === 0x0a || (code >= 0x20 && code < 0x7f)).toBe(true);
    }
  }
});

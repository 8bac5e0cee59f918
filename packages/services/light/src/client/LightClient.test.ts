import { toHex } from "@vedette/crypto";
import { type Block, encodeBlock } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { type Checkpoint, createLightClient, type LightClientOptions, readCheckpoint, rnodeRules } from "../index.js";
import { SignedNetwork, TestServer, updateOf } from "../testing/index.js";

const rules = rnodeRules(0.3);
const names = ["v1", "v2", "v3"];

function turns(network: SignedNetwork, count: number, parent: Block = network.genesis): Block[] {
  return network.chain(parent, ...Array.from({ length: count }, (_, at) => names[at % names.length]!));
}

function checkpointOf(block: Block, thresholdPpm = 300_000): Checkpoint {
  return {
    ...{ format: "vedette-checkpoint/1", dialect: "rnode", shardId: block.shardId, thresholdPpm },
    ...{ blockHash: toHex(block.hash), blockNumber: Number(block.number), timestamp: Number(block.header.timestamp) },
  };
}

/** Three validators, a chain of 12 blocks, and servers of it by their names. */
function scene(...hosts: readonly string[]) {
  const network = new SignedNetwork({ v1: 100, v2: 100, v3: 100 });
  const { genesis } = network;
  const chain = turns(network, 12);
  const all = [genesis, ...chain];
  const servers = Object.fromEntries(hosts.map((host) => [host, new TestServer(all, chain.at(-1)!, rules)]));
  const client = (options: Partial<LightClientOptions> = {}) =>
    createLightClient({
      checkpoint: checkpointOf(genesis),
      servers: hosts.map((host) => `http://${host}`),
      fetch: TestServer.fetchOf(servers),
      now: () => 5_000,
      ...options,
    });
  return { network, genesis, chain, servers, client };
}

describe("a client", () => {
  test("follows servers to the newest block that evidence shows, and reads blocks below it", async () => {
    const { chain, client } = scene("a", "b");
    const one = await client();
    expect(one.trusted.number).toBe(0n);
    const outcome = await one.update();
    expect(outcome).toMatchObject({ isNewer: true, conflict: undefined, doubled: [], clockBehindMs: 0 });
    expect(outcome.servers.map(({ state }) => state)).toEqual(["agrees", "agrees"]);
    const { number } = outcome.trusted;
    expect(number).toBeGreaterThan(6n);
    expect(one.checkpoint.blockHash).toBe(toHex(chain[Number(number) - 1]!.hash));
    expect((await one.getBlock(chain[1]!.hash)).value.number).toBe(2n);
    const main = await one.getMainChain(number - 3n);
    expect(main.value.map((block) => block.number)).toEqual([number, number - 1n, number - 2n, number - 3n]);
    expect(await one.update()).toMatchObject({ isNewer: false, trusted: { number } });
  });

  test("follows packed updates, and names a server that packs what cannot be unpacked", async () => {
    const { servers, client } = scene("bad", "good");
    for (const server of Object.values(servers)) server.packs = true;
    const one = await client();
    expect(await one.update()).toMatchObject({ isNewer: true, servers: [{ state: "agrees" }, { state: "agrees" }] });
    const lie = (packed: string) => {
      servers["bad"]!.lie = (path, answer) =>
        path === "/v2/light/update" ? { ...(answer as object), packed } : answer;
      return client().then((other) => other.update());
    };
    // Bytes behind the end, an endless repetition, and one from before the beginning.
    for (const packed of ["ff", "0141ffffff7f01", "0001ffffff7f"])
      expect((await lie(packed)).servers.map(({ state }) => state)).toEqual(["wrong", "agrees"]);
  });

  test("concludes nothing from blocks of a version that it has no rules for, and says so", async () => {
    const words =
      /^this network uses rules of a newer version \(block version 4 at #\d+\); Vedette knows block version 1$/;
    const { network, genesis, chain, client } = scene("upgraded");
    const after = [genesis, ...chain.slice(0, 4)];
    for (const creator of ["v2", "v3", "v1", "v2", "v3", "v1", "v2", "v3"])
      after.push(network.make({ creator, parents: [after.at(-1)!], version: 4n }));
    const upgraded = new TestServer(after, after.at(-1)!, rules);
    const behind = new TestServer([genesis, ...chain], chain.at(-1)!, rules);
    const servers = ["http://upgraded"];
    const alone = await client({ servers, fetch: TestServer.fetchOf({ upgraded }) });
    const unclear = { url: "http://upgraded", state: "unclear", reason: expect.stringMatching(words) };
    expect(await alone.update()).toMatchObject({ isNewer: false, trusted: { number: 0n }, servers: [unclear] });
    // Any key can sign such a block, so that it ends nothing.
    const both = await client({
      ...{ servers: [...servers, "http://behind"], fetch: TestServer.fetchOf({ upgraded, behind }) },
    });
    expect(await both.update()).toMatchObject({ isNewer: true, servers: [unclear, { state: "agrees" }] });
    const begun = client({ servers, fetch: TestServer.fetchOf({ upgraded }), checkpoint: checkpointOf(after[5]!) });
    await expect(begun).rejects.toThrow("(block version 4 at #5)");
  });

  test("follows for as long as its signal lasts", async () => {
    const { client } = scene("a");
    const one = await client();
    const end = new AbortController();
    const numbers: bigint[] = [];
    for await (const { trusted } of one.follow({ everyMs: 1, signal: end.signal }))
      if (numbers.push(trusted.number) === 3) end.abort();
    expect(new Set(numbers).size).toBe(1);
  });

  test.each([
    [
      "with another target",
      (answer: Answer) => ({ ...answer, target: { ...answer.target!, blockHash: "11".repeat(32) } }),
    ],
    ["without blocks", (answer: Answer) => ({ ...answer, blocks: [] })],
    [
      "with a changed block",
      (answer: Answer) => ({ ...answer, blocks: answer.blocks.map((one) => one.replace(/..$/, "00")) }),
    ],
  ])("names a server that answers %s, by the check that failed, and follows another one", async (_, change) => {
    const { servers, client } = scene("bad", "good");
    servers["bad"]!.lie = (path, answer) => (path === "/v2/light/update" ? change(answer as Answer) : answer);
    const one = await client();
    const { isNewer, servers: reports } = await one.update();
    expect(isNewer).toBe(true);
    expect(reports.map(({ url, state }) => [url, state])).toEqual([
      ["http://bad", "wrong"],
      ["http://good", "agrees"],
    ]);
    const asked = servers["bad"]!.asked;
    expect((await one.getMainChain(one.trusted.number)).server).toBe("http://good");
    expect(servers["bad"]!.asked).toBe(asked);
  });

  test("goes on with another server where one is out of reach, refuses, answers no JSON or without end", async () => {
    const endless = () => new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(65_536).fill(0x20)) });
    for (const lie of [() => undefined, () => new Response("<html>"), () => new Response(endless())]) {
      const { servers, client } = scene("bad", "good");
      servers["bad"]!.lie = lie;
      const one = await client({ maxAnswerBytes: 1 << 20 });
      const { isNewer, servers: reports } = await one.update();
      expect([isNewer, ...reports.map(({ state }) => state)]).toEqual([true, "unclear", "agrees"]);
    }
    const { client } = scene("good");
    const one = await client({ servers: ["http://nowhere", "http://good"] });
    expect((await one.update()).isNewer).toBe(true);
  });

  test("stops waiting for a server that never answers", async () => {
    const { servers, client } = scene("slow", "good");
    servers["slow"]!.lie = (_path, _answer, signal) =>
      new Response(
        new ReadableStream({ start: (out) => signal.addEventListener("abort", () => out.error(signal.reason)) }),
      );
    const one = await client({ timeoutMs: 20 });
    expect((await one.update()).servers.map(({ state }) => state)).toEqual(["unclear", "agrees"]);
  });

  test("reports that no server answers, with the reason of each", async () => {
    const { client, servers } = scene("a", "b");
    const one = await client();
    for (const server of Object.values(servers)) server.lie = () => undefined;
    await expect(one.update()).rejects.toThrow(/http:\/\/a: .*http:\/\/b: /);
    await expect(one.getBlock(new Uint8Array(32))).rejects.toThrow(/no server gave a verified answer for block 0000/);
    await expect(client({ servers: [] })).rejects.toThrow(/at least one server/);
    await expect(client({ servers: ["ftp://a"] })).rejects.toThrow(/"ftp:\/\/a" is none/);
  });
});

interface Answer {
  readonly target: { readonly blockHash: string } | null;
  readonly blocks: readonly string[];
}

describe("two servers", () => {
  test("of which one is behind agree", async () => {
    const { genesis, chain, servers, client } = scene("behind", "ahead");
    servers["behind"] = new TestServer([genesis, ...chain.slice(0, 8)], chain[7]!, rules);
    const one = await client({ fetch: TestServer.fetchOf(servers) });
    const { servers: reports, isNewer } = await one.update();
    expect([isNewer, ...reports.map(({ reason }) => reason)]).toEqual([
      true,
      "shows an older block of the same chain",
      "shows the newest block",
    ]);
  });

  test("that show two chains with valid evidence are reported, and nothing is taken over", async () => {
    // All three validators sign a second chain: more than the tolerated stake.
    const { network, genesis, servers, client } = scene("one", "other");
    const second = turns(network, 9);
    servers["other"] = new TestServer([genesis, ...second], second.at(-1)!, rules);
    const one = await client({ fetch: TestServer.fetchOf(servers) });
    const { isNewer, trusted, conflict, servers: reports } = await one.update();
    expect([isNewer, trusted.number]).toEqual([false, 0n]);
    expect([conflict?.one.url, conflict?.other.url]).toEqual(["http://one", "http://other"]);
    expect(reports.map(({ state }) => state)).toEqual(["conflict", "conflict"]);
    expect(reports[0]!.reason).toMatch(/excludes .* of http:\/\/other.* not known which server is wrong/);
  });

  test("are compared over as many blocks as lie between their targets, path by path, and no further", async () => {
    const { network, genesis, servers, client } = scene("behind", "ahead");
    const long = turns(network, 4_200);
    const ahead = new TestServer([genesis, ...long], long.at(-1)!, rules);
    servers["ahead"] = ahead;
    let paths = 0;
    ahead.lie = (path, answer) => {
      paths += path === "/v2/light/path" ? 1 : 0;
      return answer;
    };
    const upTo = async (blocks: readonly Block[]) => {
      servers["behind"] = new TestServer([genesis, ...blocks], blocks.at(-1)!, rules);
      paths = 0;
      const { isNewer, servers: reports } = await (await client({ fetch: TestServer.fetchOf(servers) })).update();
      return { isNewer, states: reports.map(({ state }) => state), reason: reports[0]!.reason };
    };
    expect(await upTo(long.slice(0, 3_300))).toMatchObject({ isNewer: true, states: ["agrees", "agrees"] });
    expect(paths).toBe(4);
    const fork = await upTo([...long.slice(0, 300), ...turns(network, 9, long[299])]);
    expect(fork).toMatchObject({ isNewer: false, states: ["conflict", "conflict"] });
    expect(paths).toBe(16);
    const far = await upTo(long.slice(0, 30));
    expect(far).toMatchObject({ isNewer: true, states: ["unclear", "agrees"] });
    expect(far.reason).toMatch(/more than 16 paths of 256 blocks lie between them/);
  });

  test("that cannot be compared are reported so, and the higher target is taken over", async () => {
    const { genesis, chain, servers, client } = scene("behind", "ahead");
    servers["behind"] = new TestServer([genesis, ...chain.slice(0, 8)], chain[7]!, rules);
    servers["ahead"]!.lie = (path, answer) => (path === "/v2/light/path" ? undefined : answer);
    const one = await client({ fetch: TestServer.fetchOf(servers) });
    const { isNewer, servers: reports } = await one.update();
    expect(isNewer).toBe(true);
    expect(reports.map(({ state }) => state)).toEqual(["unclear", "agrees"]);
    expect(reports[0]!.reason).toMatch(/cannot compare/);
  });
});

describe("a checkpoint", () => {
  test("is refused where it is too old, with the reason", async () => {
    const { client } = scene("a");
    await expect(client({ now: () => 10_000, maxAgeMs: 5_000 })).rejects.toThrow(
      /ms old, more than 5000: get a newer checkpoint from a source you trust/,
    );
    const one = await client({ now: () => 5_000, maxAgeMs: 5_000 });
    expect((await one.update()).isNewer).toBe(true);
  });

  test("that becomes too old while servers withhold newer blocks ends the client", async () => {
    const { client } = scene("a");
    let now = 5_000;
    const one = await client({ now: () => now, maxAgeMs: 5_000 });
    now = 20_000;
    await expect(one.update()).rejects.toThrow(/ms old/);
  });

  test("of a later time than the clock's shows a clock that is behind", async () => {
    const { client } = scene("a");
    const one = await client({ now: () => -30_000 });
    expect((await one.update()).clockBehindMs).toBeGreaterThan(30_000);
  });

  test("must be that of its block", async () => {
    const { genesis, chain, client } = scene("a");
    const right = checkpointOf(genesis);
    for (const change of [{ blockNumber: 1 }, { timestamp: 7 }, { shardId: "other" }])
      await expect(client({ checkpoint: { ...right, ...change } })).rejects.toThrow(/the checkpoint states/);
    const { servers } = scene("a");
    servers["a"]!.lie = (path, answer) =>
      path.startsWith("/v2/block/") ? { ...(answer as object), bytes: toHex(encodeBlock(chain[0]!)) } : answer;
    await expect(client({ fetch: TestServer.fetchOf(servers) })).rejects.toThrow(/is not the trusted block/);
  });

  test("is read as it is printed, and nothing else is", () => {
    const { genesis } = scene("a");
    const right = checkpointOf(genesis);
    expect(readCheckpoint(JSON.parse(JSON.stringify(right)))).toEqual(right);
    for (const change of [
      { format: "x" },
      { dialect: "x" },
      { blockHash: "11" },
      { blockNumber: "1" },
      { thresholdPpm: 1_000_000 },
      { thresholdPpm: 0.5 },
      { shardId: undefined },
    ])
      expect(() => readCheckpoint({ ...right, ...change })).toThrow(/checkpoint\.\w+/);
    expect(() => readCheckpoint(null)).toThrow(/checkpoint\.format/);
  });
});

test("evidence of another network with the same keys is no evidence for another shard", async () => {
  const { genesis, servers, client } = scene("a");
  const network = new SignedNetwork({ v1: 100, v2: 100, v3: 100 });
  const other = network.make({ creator: "v1", parents: [network.genesis], shardId: "other" });
  const update = updateOf(other, [other]);
  servers["a"]!.lie = (path, answer) =>
    path === "/v2/light/update"
      ? {
          ...(answer as object),
          target: { blockHash: toHex(update.target), blockNumber: 1 },
          blocks: update.blocks.map(toHex),
        }
      : answer;
  const one = await client();
  expect(toHex(one.trusted.hash)).toBe(toHex(genesis.hash));
  expect((await one.update()).servers).toMatchObject([{ state: "wrong", reason: /belongs to shard/ }]);
});

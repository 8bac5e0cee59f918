// Covers: server, replication/stream
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DevProcess } from "@vedette/cli/testing";
import { posQueryTerm, systemNames } from "@vedette/client";
import { JetStreamPort, StreamNames } from "@vedette/replication/stream";
import { NatsServer } from "@vedette/replication/streamTesting";
import { freePort, patienceMs, slowness, until, whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandProcess } from "./CommandProcess.js";
import { dialectNames, listedBlocks } from "./NetworkProcesses.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`replicas are not tried on a NATS server: ${why}\n`);
const blocks = 7;
const answerMs = patienceMs();
/** A stopping replica gets several requests before it ends. */
const drainSeconds = Math.ceil(3 * slowness());

describe.skipIf(why !== undefined).each(dialectNames)("a replica of a network of %s", (dialect) => {
  const spoken = `--dialect=${dialect}`;
  const folder = mkdtempSync(join(tmpdir(), "vedette-replica-test-"));
  const environment = { VEDETTE_CONTEXTS: join(folder, "contexts.json"), XDG_CACHE_HOME: join(folder, "cache") };
  let server: NatsServer;
  let chain: DevProcess;
  let publisher: CommandProcess;
  let node: string;

  beforeAll(async () => {
    server = await NatsServer.start();
    chain = await DevProcess.start(["--data-dir", join(folder, "chain"), "--seed", "a replica", spoken], environment);
    node = `http://127.0.0.1:${chain.ready.ports.http}`;
  });
  afterAll(async () => {
    await publisher?.end("SIGKILL");
    await chain?.stop();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const names = async () => {
    const { networkId, shardId } = (await get(node, "/api/status")) as { networkId: string; shardId: string };
    return [`--network-id=${networkId}`, `--shard-name=${shardId}`];
  };
  const gift = async () => {
    const { address } = chain.ready.accounts[1]!;
    expect((await chain.ask("/dev/faucet", { address, amount: 5 })).json).toMatchObject({ errored: false });
  };

  const startReplica = async (directory: string, more: readonly string[]) => {
    const ports = await Promise.all(["http", "admin-http", "external", "internal"].map(() => freePort()));
    const args = [
      ...["replica", `--data-dir=${join(folder, directory)}`, `--nats=${server.url}`, spoken, ...more],
      ...[`--api-port-http=${ports[0]}`, `--api-port-admin-http=${ports[1]}`],
      ...[`--api-port-grpc-external=${ports[2]}`, `--api-port-grpc-internal=${ports[3]}`],
    ];
    const replica = new CommandProcess(args, { VEDETTE_API_SERVER_DRAIN_TIMEOUT: `${drainSeconds} seconds` });
    return { replica, here: `http://127.0.0.1:${ports[0]}` };
  };
  const snapshotOf = async (shard: string) => {
    const place = join(folder, "snapshots");
    mkdirSync(place, { recursive: true });
    const making = new CommandProcess([
      ...["snapshot", "create", `--data-dir=${join(folder, "chain")}`, `--location=${place}`, shard, "--json"],
    ]);
    expect(await making.ended()).toBe(0);
    const { block } = JSON.parse(making.said) as { block: { hash: string; number: number } };
    return { place, block };
  };

  /** At the end of a stream without publishers a replica does not call itself in sync. */
  const goesByPublishers = async (here: string) => {
    const ready = async (query = "") => (await fetch(`${here}/health/ready${query}`)).status;
    const publishers = async () => {
      const { syncStatus } = (await get(here, "/status")) as { syncStatus: { replica: { publishers: object[] } } };
      return syncStatus.replica.publishers;
    };
    expect(await publishers()).toMatchObject([{ eventsLeft: 0, isNodeRunning: true }]);
    expect(await publisher.end("SIGKILL")).toBe("SIGKILL");
    await expect.poll(() => ready()).toBe(503);
    expect(await ready("?maxLag=3600")).toBe(200);
    publisher.start();
    await expect.poll(() => ready()).toBe(200);
  };

  test("answers as the node that publishes its blocks, through kills of it and of its server", async () => {
    const [networkId, shard] = await names();
    await gift();
    publisher = new CommandProcess([
      ...["publish", `--data-dir=${join(folder, "chain")}`, networkId!, `--nats=${server.url}`],
    ]);
    // The chain's first block was made before there was a log of events, so that the stream begins with the second.
    const { place, block } = await snapshotOf(shard!);
    const { replica, here } = await startReplica("replica", [
      ...[networkId!, shard!, `--snapshot=${place}`, `--block=${block.hash}`],
    ]);
    await using _ending = replica;
    for (let made = 0; made < blocks; made += 1) {
      await gift();
      if (made % 3 === 1) {
        await sleep(37 * made);
        expect(await replica.end("SIGKILL")).toBe("SIGKILL");
        replica.start();
      }
      if (made === 2) await server.kill();
      if (made === 3) await server.begin();
    }
    const newest = (await get(node, "/api/last-finalized-block")) as { blockInfo: { blockHash: string } };
    await expect
      .poll(() => get(here, "/api/last-finalized-block").catch(() => undefined))
      .toMatchObject({ blockInfo: { blockHash: newest.blockInfo.blockHash } });
    // A block's transfers are in answers once its readers see it.
    for (const path of [
      `/api/blocks/${blocks}`,
      "/api/last-finalized-block",
      `/api/block/${newest.blockInfo.blockHash}`,
    ])
      await expect.poll(() => get(here, path)).toEqual(await get(node, path));
    const { address } = chain.ready.accounts[1]!;
    for (const [path, body] of [
      ["/v2/balances", { addresses: [address] }],
      ["/api/explore-deploy", posQueryTerm("getBonds", dialect)],
    ] as const)
      expect(await post(here, path, body)).toEqual(await post(node, path, body));
    const status = async () => ((await get(here, "/status")) as { syncStatus: object }).syncStatus;
    await expect.poll(status).toMatchObject({ phase: "following", replica: { messagesPending: 0, stopReason: null } });
    expect((await fetch(`${here}/health/ready`)).status).toBe(200);
    const metrics = await (await fetch(`${here}/metrics`)).text();
    expect(metrics).toMatch(/^vedette_replica_connected 1$/m);
    await goesByPublishers(here);
    const proof = `/v2/state/${newest.blockInfo.blockHash}/continuations?uri=${systemNames[dialect].vaults}&proof=true&anchor=block&limit=1`;
    expect(await get(here, proof)).toMatchObject({ proof: expect.anything() });
    expect(await get(here, proof)).toEqual(await get(node, proof));
    expect(existsSync(join(folder, "replica", "node.key.pem"))).toBe(false);
    const [theirs, ours] = await Promise.all(
      [node, here].map(async (url) => (await fetch(`${url}/status`)).headers.get("vedette-block")),
    );
    expect(ours).toBe(theirs);
    const height = Number(theirs!.split(";")[0]);
    const ahead = await fetch(`${here}/api/blocks/1?minBlock=${height + 1}`);
    expect([ahead.status, ahead.headers.get("retry-after")]).toEqual([503, "1"]);
    const later = async () => {
      const answer = await fetch(`${here}/api/blocks/1`, { headers: { "vedette-min-block": String(height + 1) } });
      return listedBlocks(await answer.json());
    };
    const given = gift();
    await expect.poll(later).toMatchObject([{ blockNumber: height + 1 }]);
    await given;
    await drains(here, replica);
    expect(replica.said).not.toContain("stays before it");
  });

  test("sends the same events as others do to readers that go from one to the other, and none is missed", async () => {
    const [networkId, shard] = await names();
    const { place, block } = await snapshotOf(shard!);
    const more = [networkId!, shard!, `--snapshot=${place}`, `--block=${block.hash}`];
    const [one, two] = [await startReplica("one", more), await startReplica("two", more)];
    await using _first = one.replica;
    await using _second = two.replica;
    const newest = async () => {
      const { blockInfo } = (await get(node, "/api/last-finalized-block")) as { blockInfo: { blockHash: string } };
      return blockInfo.blockHash;
    };
    const bothHave = async (hash: string) => {
      for (const { here } of [one, two])
        await expect
          .poll(() => get(here, "/api/last-finalized-block").catch(() => undefined))
          .toMatchObject({ blockInfo: { blockHash: hash } });
    };
    await gift();
    await bothHave(await newest());
    // Cursors are the stream's from here on.
    await gift();
    await bothHave(await newest());
    const hash = await newest();
    const before = await eventsAfter(one.here, "oldest", lastOf(hash));
    const isOfStream = ({ cursor }: ReportedEvent) => cursor.includes(".");
    const named = before.filter(isOfStream);
    expect(named.length).toBeGreaterThan(1);
    expect((await eventsAfter(two.here, "oldest", lastOf(hash))).filter(isOfStream)).toEqual(named);
    const received = [named[0]!];
    let endHash: string | undefined;
    const followed = (async () => {
      for (let turn = 0; endHash === undefined || !received.some(lastOf(endHash)); turn += 1) {
        const { here } = turn % 2 === 0 ? two : one;
        let left = 1 + (turn % 5);
        received.push(...(await eventsAfter(here, received.at(-1)!.cursor, () => --left <= 0)));
      }
    })();
    for (let made = 0; made < 5; made += 1) {
      await gift();
      if (made % 3 !== 1) continue;
      const { replica } = made === 1 ? one : two;
      expect(await replica.end("SIGKILL")).toBe("SIGKILL");
      replica.start();
    }
    endHash = await newest();
    // A reader that has received everything already waits for something more.
    await gift();
    await Promise.all([followed, bothHave(await newest())]);
    received.splice(received.findIndex(lastOf(endHash)) + 1);
    for (const { here } of [one, two])
      expect(received.slice(1)).toEqual(await eventsAfter(here, received[0]!.cursor, lastOf(endHash)));
    expect(received.length).toBeGreaterThan(5);
    expect(new Set(received.map(({ cursor }) => cursor)).size).toBe(received.length);
  });

  test("waits for as many publishers as configured, and reports it to load balancers and people", async () => {
    const [networkId, shard] = await names();
    const { place, block } = await snapshotOf(shard!);
    const { replica, here } = await startReplica("careful", [
      ...[networkId!, shard!, `--snapshot=${place}`, `--block=${block.hash}`, "--quorum=2"],
    ]);
    const stopReason = async () => {
      const { syncStatus } = (await get(here, "/status")) as {
        syncStatus: { phase: string; replica: { stopReason: string | null } };
      };
      const { status } = await fetch(`${here}/health/ready`);
      return [syncStatus.phase, status, syncStatus.replica.stopReason] as const;
    };
    const shows = (...expected: readonly unknown[]) =>
      expect.poll(() => stopReason().catch(() => undefined)).toEqual(expected);
    const height = async () => listedBlocks(await get(here, "/api/blocks/1"))[0]?.blockNumber;
    await using _ending = replica;
    await gift();
    await shows("stalled", 503, expect.stringMatching(/ is valid according to 1 \([0-9a-f]+\), 2 required/));
    expect(await height()).toBe(block.number);
    await using _second = new CommandProcess([
      ...["publish", `--data-dir=${join(folder, "chain")}`, networkId!, `--nats=${server.url}`],
      ...["--name=two", `--cursor=${join(folder, "second.json")}`],
    ]);
    await shows("following", 200, null);
    expect(await height()).toBeGreaterThan(block.number);
    const [newest] = listedBlocks(await get(here, "/api/blocks/1"));
    const stream = new StreamNames(networkId!.split("=")[1]!);
    await using port = new JetStreamPort(stream, { servers: [server.url] });
    await port.open();
    const alarm = {
      ...{ format: "vedette-stream-1", hash: newest!.blockHash, valid: "one", invalid: "two" },
    };
    await port.publish(stream.alarm(alarm.hash), new TextEncoder().encode(JSON.stringify(alarm)));
    await shows("stalled", 503, expect.stringContaining(`Publishers differ about block ${alarm.hash}`));
    // It goes on serving its data.
    expect(listedBlocks(await get(here, "/api/blocks/1"))).toMatchObject([{ blockHash: newest!.blockHash }]);
  });
});

/** Stops it: it is not ready at once, sends readers of events their position, and answers everything else yet. */
async function drains(url: string, replica: CommandProcess): Promise<void> {
  const events = (await fetch(`${url}/v2/events`)).text();
  const ended = replica.end("SIGTERM");
  await expect.poll(() => get(url, "/health/ready")).toMatchObject({ status: "draining" });
  expect(await events).toContain("closing");
  expect((await fetch(`${url}/health/ready?maxLag=60`)).status).toBe(503);
  expect((await fetch(`${url}/v2/events`)).status).toBe(503);
  expect((await fetch(`${url}/api/blocks/1`)).status).toBe(200);
  expect(await ended).toBe(143);
}

interface ReportedEvent {
  readonly kind: string;
  readonly cursor: string;
  readonly blockHash?: string;
}

/** Matches the last event of a block with one deploy. */
function lastOf(hash: string): (event: ReportedEvent) => boolean {
  return ({ kind, blockHash }) => kind === "deployFinalized" && blockHash === hash;
}

/**
 * The events that `/v2/events` sends after a place, up to an event, or until the connection ends; requests them again
 * while a replica is away or not so far.
 */
async function eventsAfter(
  url: string,
  after: string,
  isLast: (event: ReportedEvent) => boolean,
): Promise<ReportedEvent[]> {
  let last = "";
  const body = await until(
    `${url} to send events`,
    async () => {
      const answer = await fetch(`${url}/v2/events?after=${after}`).catch(() => undefined);
      if (answer?.status === 200) return answer.body!;
      last = `${answer?.status} ${await answer?.text()}`;
      if (answer !== undefined && answer.status !== 503) throw new Error(last);
      return undefined;
    },
    { state: () => last },
  );
  return readEvents(body, isLast);
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  isLast: (event: ReportedEvent) => boolean,
): Promise<ReportedEvent[]> {
  const events: ReportedEvent[] = [];
  let text = "";
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split("\n");
      text = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        const event = JSON.parse(line.slice(5)) as ReportedEvent;
        if (["started", "heartbeat", "closing"].includes(event.kind)) continue;
        events.push(event);
        if (isLast(event)) return events;
      }
    }
  } catch {
    // It was killed, or nothing came for long: what was read is what it sent.
  }
  return events;
}

async function get(url: string, path: string): Promise<unknown> {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(answerMs) });
  return response.json();
}

async function post(url: string, path: string, body: unknown): Promise<unknown> {
  const isText = typeof body === "string";
  const headers = { "content-type": isText ? "text/plain" : "application/json" };
  const asked = { method: "POST", headers, body: isText ? body : JSON.stringify(body) };
  return (await fetch(url + path, asked)).json();
}

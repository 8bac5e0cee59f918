import { toHex } from "@vedette/crypto";
import { testKey } from "@vedette/node/testing";
import { blockSignerOf, encodeBlock, rnode, signBlock } from "@vedette/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { makeMessage, readContent, readFacts } from "../blockMessage.js";
import { StreamNames } from "../StreamNames.js";
import { begunWorld } from "../testing/begunWorld.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import { Replica, type ReplicaEvent, type ReplicaProgress } from "./Replica.js";

const names = new StreamNames("test");
let own: LoggedChain;
let ownStream: MemoryPort;
/** Has the same genesis and the same network id, and is lower. */
let otherStream: MemoryPort;

beforeAll(async () => {
  own = await LoggedChain.begin(6);
  ownStream = await publishAll(own);
  const other = await LoggedChain.begin(0);
  for (let number = 0; number < 3; number += 1) await other.grow(`@"another"!(${number})`);
  otherStream = new MemoryPort();
  otherStream.id = "other";
  await publishAll(other, { port: otherStream });
});

/** Follows until an event ends it. @returns the events, and the progress at the last of them */
async function followUntil(
  world: ReplicaWorld,
  port: MemoryPort,
  isEnd: (event: ReplicaEvent) => boolean,
): Promise<{ readonly events: readonly ReplicaEvent[]; readonly progress: ReplicaProgress }> {
  const events: ReplicaEvent[] = [];
  const controller = new AbortController();
  let progress: ReplicaProgress | undefined;
  const replica = new Replica({
    ...{ network: "test", nowMs: () => 0, firstWaitMs: 1, standMs: 1 },
    ...{ source: new MemorySource(port), chain: world.open().replica },
    emit: (event) => {
      events.push(event);
      if (!isEnd(event)) return;
      progress = replica.progress;
      controller.abort();
    },
  });
  await replica.run(controller.signal);
  return { events, progress: progress! };
}

const codeOf = (event: ReplicaEvent) => ("error" in event ? event.error.failure.code : undefined);
const isAll = (event: ReplicaEvent) => event.type === "failed" && codeOf(event) === "unusable";

describe("a replica on another chain's stream that has the same network id", () => {
  test("begun with a snapshot reports that its network is unproven, and is at no end, while that chain is lower", async () => {
    const world = begunWorld(own, 4, 5);
    const { events, progress } = await followUntil(world, otherStream, (event) => codeOf(event) === "notJoined");
    expect(progress).toMatchObject({ pending: 0, atEndMs: undefined });
    expect(events.at(-1)).toMatchObject({ type: "waits" });
    // So it is after a start, too, though its place is one of this stream.
    const again = await followUntil(world, otherStream, (event) => codeOf(event) === "notJoined");
    expect(again.progress.atEndMs).toBeUndefined();
    // The stream of this world's chain is followed further.
    const last = await followUntil(world, ownStream, isAll);
    expect(last.events.filter(({ type }) => type === "joined" || type === "waits")).toEqual([]);
    expect(world.chain!.dag.lastFinalized()!.number).toBe(6n);
  });

  test("begun with genesis stops, with both blocks, where another one is final", async () => {
    const world = new ReplicaWorld();
    await followUntil(world, ownStream, isAll);
    const { events } = await followUntil(world, otherStream, ({ type }) => type === "failed");
    const last = events.at(-1);
    expect(last).toMatchObject({ isStanding: true, error: { failure: { code: "otherChain", number: 1 } } });
    expect(world.chain!.dag.lastFinalized()!.number).toBe(6n);
  });

  test("stops at another genesis, but passes it over in a stream that it knows", async () => {
    const [subject, bytes] = await otherGenesis();
    const world = new ReplicaWorld();
    await followUntil(world, ownStream, isAll);
    const port = new MemoryPort();
    port.id = "strange";
    port.messages.set(subject, bytes);
    const { events } = await followUntil(world, port, ({ type }) => type === "failed");
    expect(codeOf(events.at(-1)!)).toBe("otherChain");

    ownStream.messages.set(subject, bytes);
    try {
      const known = await followUntil(world, ownStream, isAll);
      expect(known.events.map(({ type }) => type)).toContain("skipped");
      expect(known.progress.skipped).toBe(1);
    } finally {
      ownStream.messages.delete(subject);
    }
  });
});

test("a stream that is filled anew is joined once it has the last final block", async () => {
  const world = new ReplicaWorld();
  await followUntil(world, ownStream, isAll);
  const anew = new MemoryPort();
  anew.id = "anew";
  const first = [...ownStream.messages];
  const half = first.length >> 1;
  for (const [subject, bytes] of first.slice(0, half)) anew.messages.set(subject, bytes);
  const { progress } = await followUntil(world, anew, (event) => codeOf(event) === "notJoined");
  expect(progress.atEndMs).toBeUndefined();
  for (const [subject, bytes] of first.slice(half)) anew.messages.set(subject, bytes);
  const { events } = await followUntil(world, anew, isAll);
  expect(events.filter(({ type }) => type === "waits")).toEqual([]);
  // It is known after a start, too, whatever the stream still has then.
  const emptied = new MemoryPort();
  emptied.id = "anew";
  emptied.dropped = anew.messages.size;
  const later = await followUntil(world, emptied, isAll);
  expect(later.events.filter(({ type }) => type === "waits")).toEqual([]);
});

/** As the own one's, but of another time. */
async function otherGenesis(): Promise<readonly [string, Uint8Array]> {
  const { hash } = own.log.read(1)!;
  const subject = names.block(hash, "valid");
  const { facts, body } = readFacts(subject, ownStream.messages.get(subject)!);
  const { format: _f, content: _c, outcomeBytes: _o, bytes: _b, parts: _p, ...plain } = facts;
  const content = await readContent(subject, facts, body);
  const genesis = own.blocks.read(hash)!;
  const header = { ...genesis.header, timestamp: genesis.header.timestamp + 1n };
  const block = signBlock({ ...genesis, header }, blockSignerOf(testKey("stranger").privateKey), rnode);
  const entries = [{ kind: "block" as const, bytes: encodeBlock(block) }, ...content.entries.slice(1)];
  const made = await makeMessage({ ...plain, hash: toHex(block.hash) }, { ...content, entries }, 1 << 20);
  return [names.block(block.hash, "valid"), made.bytes];
}

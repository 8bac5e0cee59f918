import { fromHex } from "@vedette/crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { readFacts } from "../blockMessage.js";
import { StreamNames } from "../StreamNames.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import type { ReplicaEvent, ReplicaOptions } from "./Replica.js";

const names = new StreamNames("test");
const blocks = 4;
let origin: LoggedChain;
let made: MemoryPort;

beforeAll(async () => {
  origin = await LoggedChain.begin(blocks);
  made = await publishAll(origin);
});

async function expectWhole(port: MemoryPort, change: Partial<ReplicaOptions> = {}): Promise<readonly ReplicaEvent[]> {
  const world = new ReplicaWorld();
  const events = await world.follow(new MemorySource(port), change);
  expect(world.chain!.dag.lastFinalized()?.number).toBe(BigInt(blocks));
  for (let entry = 1; entry <= origin.log.newest(); entry += 1) {
    const { hash } = origin.log.read(entry)!;
    expect(world.chain!.dag.has(hash)).toBe(true);
    expect(world.states.hasRoot(origin.blocks.read(hash)!.body.state.postStateHash)).toBe(true);
  }
  return events;
}

/** Subject of the message of a height's block. */
function subjectOf(port: MemoryPort, height: number): string {
  for (const [subject, bytes] of port.messages)
    if (subject.includes(".block.") && readFacts(subject, bytes).facts.number === height) return subject;
  throw new TypeError(`no block #${height} is there`);
}

const quorums = [undefined, { needed: 1 }, { needed: 2 }];

describe("an invalid message where a publisher's message belongs", () => {
  const spoiled = (bytes: Uint8Array, at: number) => bytes.map((byte, place) => (place === at ? byte ^ 1 : byte));

  test("stops no replica, nor the publishers, with a quorum and without", async () => {
    const block = subjectOf(made, 3);
    const right = made.messages.get(block)!;
    const { hash } = readFacts(block, right).facts;
    const otherNetwork = new TextEncoder().encode("tesu");
    const network = Buffer.from(right).indexOf('"network":"test"') + '"network":"'.length;
    const ofOther = right.slice();
    ofOther.set(otherNetwork, network);
    const strange: readonly (readonly [string, Uint8Array])[] = [
      [block, new Uint8Array(0)],
      [block, new Uint8Array(5_000).fill(0x20)],
      [block, right.subarray(0, right.length - 9)],
      [block, spoiled(right, right.length - 40)],
      [block, ofOther],
      [block, made.messages.get(subjectOf(made, 2))!],
      [names.final(fromHex(hash)), Uint8Array.of(7)],
      [names.alarm(hash), Uint8Array.of(7)],
    ];
    for (const [subject, bytes] of strange) {
      const port = new MemoryPort();
      // It is there before the replica comes to that block.
      await publishAll(origin, { port, log: firstOf(3) });
      await port.publish(subject, bytes);
      for (const publisher of ["one", "two"]) await publishAll(origin, { port, publisher });
      for (const quorum of quorums) {
        const events = await expectWhole(port, { quorum });
        expect(events.filter(({ type }) => type === "skipped").length, subject).toBe(1);
      }
    }
  });

  test("in the place of a part is found beside it", async () => {
    const parted = new MemoryPort();
    parted.maxBytes = 20_000;
    await publishAll(origin, { port: parted });
    const parts = [...parted.messages.keys()].filter((subject) => subject.includes(".part."));
    for (const bytes of [new Uint8Array(0), Uint8Array.of(1, 2, 3)]) {
      const port = new MemoryPort();
      port.maxBytes = 20_000;
      await port.publish(parts[1]!, bytes);
      await publishAll(origin, { port });
      await expectWhole(port);
    }
  });
});

describe("a stream that was filled again behind what was left", () => {
  /** The same messages, but those of the first blocks come after the others. */
  function turned(height: number): MemoryPort {
    const port = new MemoryPort();
    const first = [...made.messages.keys()].indexOf(subjectOf(made, height));
    const all = [...made.messages];
    for (const [subject, bytes] of [...all.slice(first), ...all.slice(0, first)]) port.messages.set(subject, bytes);
    return port;
  }

  test("is taken as a whole, by an empty replica and by one that has a part", async () => {
    for (const height of [1, 3, 4]) {
      await expectWhole(turned(height));
      await expectWhole(turned(height), { maxTotal: 1 });
      await expectWhole(turned(height), { quorum: { needed: 1 } });
    }
    const world = new ReplicaWorld();
    const source = new MemorySource(made);
    await world.follow(source, {
      maxTotal: 1,
      until: (event) => event.type === "took" && event.kind === "block" && event.number === 2,
    });
    const port = turned(3);
    port.id = made.id;
    port.dropped = made.messages.size;
    await world.follow(new MemorySource(port));
    expect(world.chain!.dag.lastFinalized()?.number).toBe(BigInt(blocks));
  });

  test("reports what is missing where it is nowhere", async () => {
    const port = turned(4);
    port.messages.delete(subjectOf(made, 2));
    await expect(new ReplicaWorld().follow(new MemorySource(port))).rejects.toThrow("is not here, on which it builds");
  });
});

/** The log of a publisher that is not as far. */
function firstOf(entries: number) {
  const { log } = origin;
  return { id: log.id, newest: () => entries, oldest: () => log.oldest(), read: (entry: number) => log.read(entry) };
}

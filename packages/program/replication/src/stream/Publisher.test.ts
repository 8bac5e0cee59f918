import { toHex } from "@vedette/crypto";
import { runs } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { readFacts } from "./blockMessage.js";
import { Publisher, type PublisherEvent, type PublisherOptions } from "./Publisher.js";
import type { PublisherPosition } from "./PublisherCursor.js";
import { decodeHeartbeat } from "./plainMessages.js";
import { StreamNames } from "./StreamNames.js";
import { FollowedState } from "./testing/FollowedState.js";
import { LoggedChain } from "./testing/LoggedChain.js";
import { MemoryPort } from "./testing/MemoryPort.js";

const network = "test";
const names = new StreamNames(network);
const blocks = 6;
let chain: LoggedChain;

beforeAll(async () => {
  chain = await LoggedChain.begin(blocks);
});

class MemoryCursor {
  place: PublisherPosition | undefined;
  read = () => this.place;
  write = (place: PublisherPosition) => {
    this.place = place;
  };
}

/** Publishes until all is in the stream, or something has happened. */
async function publish(change: Partial<PublisherOptions> & { until?: (event: PublisherEvent) => boolean } = {}) {
  const events: PublisherEvent[] = [];
  const controller = new AbortController();
  const port = change.port ?? new MemoryPort();
  const log = change.log ?? chain.log;
  const cursor = change.cursor ?? new MemoryCursor();
  const publisher = new Publisher({
    ...{
      network,
      publisher: "one",
      blocks: chain.blocks,
      states: chain.states,
      findOutcome: chain.findOutcome,
      log,
      pollMs: 1,
      firstWaitMs: 1,
    },
    ...change,
    port,
    cursor: {
      read: () => cursor.read(),
      write: (place) => {
        cursor.write(place);
        if (place.entry === log.newest()) controller.abort();
      },
    },
    emit: (event) => {
      events.push(event);
      if (change.until?.(event) === true) controller.abort();
      // A publisher at the end already has nothing to note.
      if (event.type === "begun" && event.entry === event.newest) controller.abort();
    },
  });
  await publisher.run(controller.signal);
  return { events, port: port as MemoryPort, cursor };
}

async function followed(port: MemoryPort): Promise<FollowedState> {
  const state = new FollowedState();
  for (const [subject, bytes] of port.messages)
    await state.take(subject, bytes, (content, number) => port.messages.get(names.part(content, number))!);
  return state;
}

/** Heights of the blocks in a stream, in its order. */
function blockHeights(port: MemoryPort): number[] {
  return [...port.messages].flatMap(([subject, bytes]) =>
    subject.includes(".block.") ? [readFacts(subject, bytes).facts.number] : [],
  );
}

describe("what a publisher puts into a stream", () => {
  test("comes with heartbeats that state what is left, while the server can be used", async () => {
    const port = new MemoryPort();
    const signs: ReturnType<typeof decodeHeartbeat>[] = [];
    const subject = names.life("one");
    port.listeners.push((name, bytes) => signs.push(decodeHeartbeat(name, bytes)));
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const publishing = port.publish.bind(port);
    port.publish = async (to, bytes) => {
      await held;
      return publishing(to, bytes);
    };
    const controller = new AbortController();
    let isNodeRunning = true;
    const publisher = new Publisher({
      ...{ network, publisher: "one", blocks: chain.blocks, states: chain.states, findOutcome: chain.findOutcome },
      ...{ log: chain.log, port, cursor: new MemoryCursor(), emit: () => {}, pollMs: 1, firstWaitMs: 1, lifeMs: 1 },
      isNodeRunning: async () => isNodeRunning,
    });
    const ended = publisher.run(controller.signal);
    const expectSign = (sign: object) => expect.poll(() => signs.at(-1)).toMatchObject({ publisher: "one", ...sign });
    await expectSign({ left: chain.log.newest(), behindMs: null, isNodeRunning: true });
    letGo();
    await expectSign({ left: 0, behindMs: expect.any(Number), isNodeRunning: true });
    isNodeRunning = false;
    await expectSign({ left: 0, isNodeRunning: false });
    expect(port.announced).toEqual(new Set([subject]));
    controller.abort();
    await ended;
    const count = signs.length;
    // Many times as long as from one sign of life to the next.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signs).toHaveLength(count);
  });

  test("is every block with its state from genesis on, and what became final, in order", async () => {
    const { port, events } = await publish();
    const state = await followed(port);
    expect(state.heights).toEqual(Array.from({ length: blocks + 1 }, (_, height) => height));
    const final = events.filter((event) => event.type === "published" && event.kind === "final");
    expect(state.finals).toHaveLength(final.length);
    expect(state.finals.length).toBeGreaterThan(0);
    expect(new Set(state.verdicts.values())).toEqual(new Set(["valid"]));
  });

  test("of a block is what is new in its state alone", async () => {
    const { port } = await publish();
    const sizes = [...port.messages].filter(([subject]) => subject.includes(".block.")).map(([, { length }]) => length);
    expect(sizes[0]).toBeGreaterThan(100_000);
    for (const size of sizes.slice(1)) expect(size).toBeLessThan(sizes[0]! / 4);
  });

  test("goes in parts where it is too long for a message", async () => {
    const port = new MemoryPort();
    port.maxBytes = 20_000;
    await publish({ port });
    expect([...port.messages.keys()].filter((subject) => subject.includes(".part.")).length).toBeGreaterThan(4);
    expect((await followed(port)).heights).toHaveLength(blocks + 1);
  });

  test("is there once, however many publish it and wherever they were broken off", async () => {
    const port = new MemoryPort();
    let left = 3;
    for (let round = 0; round < runs(6, 24); round += 1) {
      // From one and from another, with a place that is lost again and again.
      left = 3 + 2 * round;
      const until = () => --left <= 0;
      await publish({ port, publisher: round % 2 === 0 ? "one" : "two", until });
    }
    const { events } = await publish({ port, publisher: "two" });
    expect((await followed(port)).heights).toEqual(Array.from({ length: blocks + 1 }, (_, height) => height));
    expect(events.filter((event) => event.type === "differs")).toEqual([]);
    expect(events.some((event) => event.type === "published" && !event.isFirst)).toBe(true);
  });
});

describe("a publisher", () => {
  test("goes on where it was, and follows what comes", async () => {
    const own = await LoggedChain.begin(2);
    const { port, cursor } = await publish({
      log: own.log,
      blocks: own.blocks,
      states: own.states,
      findOutcome: own.findOutcome,
    });
    await own.grow();
    const { events } = await publish({
      port,
      cursor,
      log: own.log,
      blocks: own.blocks,
      states: own.states,
      findOutcome: own.findOutcome,
    });
    expect(events[0]).toMatchObject({ type: "begun", entry: own.log.newest() - 2 });
    expect((await followed(port)).heights).toEqual([0, 1, 2, 3]);
  });

  test("waits for a server that is away, ever longer, and loses nothing", async () => {
    const port = new MemoryPort();
    let asked = 0;
    port.before = () => {
      asked += 1;
      if (asked % 13 < 3) throw new TypeError("no answer");
    };
    const { events } = await publish({ port });
    const waits = events.filter((event) => event.type === "failed").map(({ waitMs }) => waitMs);
    expect(waits.length).toBeGreaterThan(3);
    expect(waits.slice(0, 2)).toEqual([1, 2]);
    expect((await followed(port)).heights).toHaveLength(blocks + 1);
  });

  test("begins anew where the stream has lost all that it had, and where its own log is another one", async () => {
    const { port, cursor } = await publish();
    port.messages.clear();
    port.id = "second";
    await publish({ port, cursor });
    expect((await followed(port)).heights).toHaveLength(blocks + 1);
    cursor.write({ ...cursor.read()!, log: "another" });
    const { events } = await publish({ port, cursor });
    expect(events[0]).toMatchObject({ type: "begun", entry: 0 });
  });

  test("fills a stream again that was purged, wholly or in part, while it is idle and while it was away", async () => {
    const port = new MemoryPort();
    const cursor = new MemoryCursor();
    const whole = Array.from({ length: blocks + 1 }, (_, height) => height);
    await publish({ port, cursor });
    expect((await followed(port)).heights).toEqual(whole);
    for (const count of [undefined, 3, port.messages.size - 1]) {
      // By the cursor alone, at the next start.
      port.purge(count);
      const { events } = await publish({ port, cursor });
      expect(events[0]).toEqual({ type: "purged", upTo: chain.log.newest() });
      expect(blockHeights(port).toSorted()).toEqual(whole);
    }
    // Nothing is published again where nothing is missing.
    const { events } = await publish({ port, cursor });
    expect(events).toEqual([{ type: "begun", entry: chain.log.newest(), newest: chain.log.newest() }]);

    const controller = new AbortController();
    const types: PublisherEvent["type"][] = [];
    const publisher = new Publisher({
      ...{ network, publisher: "one", blocks: chain.blocks, states: chain.states, findOutcome: chain.findOutcome },
      ...{ log: chain.log, port, cursor, pollMs: 1, lookMs: 1 },
      emit: ({ type }) => types.push(type),
    });
    const ended = publisher.run(controller.signal);
    await expect.poll(() => types).toEqual(["begun"]);
    port.purge();
    await expect.poll(() => blockHeights(port)).toEqual(whole);
    expect(types[1]).toBe("purged");
    controller.abort();
    await ended;
  });

  test("puts nothing again that is too old for the stream", async () => {
    const port = new MemoryPort();
    const cursor = new MemoryCursor();
    port.keptMs = 1_000;
    await publish({ port, cursor, nowMs: () => 5_000 });
    port.purge();
    const { events } = await publish({ port, cursor, nowMs: () => 6_000 });
    expect(events.map(({ type }) => type)).toEqual(["begun"]);
    expect(port.messages.size).toBe(0);
  });

  test("takes the stream that is there for another one where it was made anew meanwhile", async () => {
    const port = new MemoryPort();
    const cursor = new MemoryCursor();
    const controller = new AbortController();
    const publisher = new Publisher({
      ...{ network, publisher: "one", blocks: chain.blocks, states: chain.states, findOutcome: chain.findOutcome },
      ...{ log: chain.log, port, cursor, pollMs: 1, lookMs: 1, emit: () => {} },
    });
    const ended = publisher.run(controller.signal);
    await expect.poll(() => blockHeights(port)).toHaveLength(blocks + 1);
    port.messages.clear();
    port.id = "second";
    await expect.poll(() => blockHeights(port)).toHaveLength(blocks + 1);
    controller.abort();
    await ended;
    expect(cursor.place?.stream).toBe("second");
  });

  test("puts a message beside an invalid one on its subject, and no invalid message stops a follower", async () => {
    const port = new MemoryPort();
    const { hash } = chain.log.read(2)!;
    const subjects = [
      names.block(hash, "valid"),
      names.block(hash, "invalid"),
      names.final(hash),
      names.final(chain.log.read(1)!.hash),
    ];
    for (const subject of subjects) await port.publish(subject, Uint8Array.of(1, 2, 3));
    const { events } = await publish({ port });
    const occupied = events.flatMap((event) => (event.type === "occupied" ? [event.subject] : []));
    expect(occupied).toContain(subjects[0]);
    for (const subject of occupied) expect(port.messages.has(names.beside(subject, "one"))).toBe(true);
    expect(readFacts(subjects[0]!, port.messages.get(names.beside(subjects[0]!, "one"))!).facts.hash).toBe(toHex(hash));
    expect(port.messages.has(names.beside(subjects[1]!, "one"))).toBe(false);
    // A second publisher finds it there.
    const { events: again } = await publish({ port, publisher: "one" });
    expect(again.filter(({ type }) => type === "occupied")).toEqual([]);
  });

  test("reports what is missing where the log has dropped what it had to publish", async () => {
    const short = await LoggedChain.begin(8, 6);
    const place = { log: short.log.id, stream: "first", entry: 1 };
    const cursor = new MemoryCursor();
    cursor.write(place);
    const { events } = await publish({
      cursor,
      log: short.log,
      blocks: short.blocks,
      states: short.states,
      findOutcome: short.findOutcome,
    });
    expect(events).toContainEqual({ type: "gap", from: 2, to: short.log.oldest() - 1 });
  });

  test("raises an alarm where another one found something else of a block, with both sides, and both are there", async () => {
    const port = new MemoryPort();
    await publish({ port });
    const first = chain.log.read(2)!;
    const log = {
      id: "other",
      newest: () => 1,
      oldest: () => 1,
      read: () => ({ kind: "blockInvalid", hash: first.hash, reason: "InvalidTransaction" }) as const,
    };
    const { events } = await publish({ port, log, publisher: "two" });
    expect(events).toContainEqual({ type: "differs", hash: first.hash, own: "invalid", by: "one" });
    const alarm = port.messages.get(names.alarm(toHex(first.hash)))!;
    expect(JSON.parse(new TextDecoder().decode(alarm))).toMatchObject({
      hash: toHex(first.hash),
      ...{ valid: "one", invalid: "two" },
    });
    const subject = names.block(first.hash, "invalid");
    expect(readFacts(subject, port.messages.get(subject)!).facts).toMatchObject({
      ...{ verdict: "invalid", reason: "InvalidTransaction", base: null, publisher: "two" },
    });
  });

  test("sends a block without its state where that is not kept, and ends where a state is damaged", async () => {
    const own = await LoggedChain.begin(2);
    const parts = { log: own.log, blocks: own.blocks, states: own.states, findOutcome: own.findOutcome };
    const root = own.blocks.read(own.log.read(1)!.hash)!.body.state.postStateHash.slice();
    own.state.write((tables) => tables("roots").delete(root));
    const { port } = await publish(parts);
    const subject = names.block(own.log.read(1)!.hash, "valid");
    expect(readFacts(subject, port.messages.get(subject)!).facts.base).toBeNull();
    own.state.write((tables) => {
      tables("roots").put(root, new Uint8Array(1));
      tables("history").delete(root);
      tables("changedHistory").delete(root);
    });
    await expect(publish({ ...parts, states: new StateStore(own.state) })).rejects.toThrow("is incomplete here");
  });
});

test("subjects are names of NATS whatever a network is called", () => {
  expect(new StreamNames("testnet-1").all).toBe("vedette.testnet-1.>");
  for (const name of ["a.b", "*", ">", "two words", "", "é", "x".repeat(65)]) {
    const { stream, all } = new StreamNames(name);
    expect([stream, all]).toEqual([
      expect.stringMatching(/^VEDETTE_x[0-9a-f]*$/),
      expect.stringMatching(/^vedette\.x[0-9a-f]*\.>$/),
    ]);
  }
});

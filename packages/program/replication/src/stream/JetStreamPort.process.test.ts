import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JetStreamSource } from "./follow/JetStreamSource.js";
import { JetStreamPort } from "./JetStreamPort.js";
import type { NatsOptions } from "./natsConnection.js";
import { closeAfter } from "./natsConnection.js";
import { Publisher, type PublisherEvent } from "./Publisher.js";
import type { PublisherPosition } from "./PublisherCursor.js";
import { StreamNames } from "./StreamNames.js";
import { followStream } from "./testing/followStream.js";
import { LoggedChain } from "./testing/LoggedChain.js";
import { NatsServer } from "./testing/NatsServer.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`streams are not tried on a NATS server: ${why}\n`);
const blocks = 8;
const all = Array.from({ length: blocks + 1 }, (_, height) => height);

describe.skipIf(why !== undefined)("a stream of a real NATS server", () => {
  let server: NatsServer;
  let chain: LoggedChain;

  beforeAll(async () => {
    server = await NatsServer.start();
    chain = await LoggedChain.begin(blocks);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Publishes until the end of the chain's log is in the stream. */
  async function publish(
    network: string,
    {
      publisher = "one",
      onEvent = () => {},
      options = {},
      cursor,
    }: {
      readonly publisher?: string;
      readonly onEvent?: (event: PublisherEvent) => void;
      readonly options?: Partial<NatsOptions>;
      readonly cursor?: { place: PublisherPosition | undefined };
    } = {},
  ): Promise<void> {
    const controller = new AbortController();
    const kept = cursor ?? { place: undefined };
    await using port = new JetStreamPort(new StreamNames(network), {
      ...{ servers: [server.url], timeoutMs: 1_000 },
      ...options,
    });
    const one = new Publisher({
      ...{
        network,
        publisher,
        blocks: chain.blocks,
        states: chain.states,
        findOutcome: chain.findOutcome,
        log: chain.log,
        port,
      },
      ...{ pollMs: 5, firstWaitMs: 20, entriesOfNote: 3 },
      cursor: {
        read: () => kept.place,
        write: (place) => {
          kept.place = place;
          if (place.entry === chain.log.newest()) controller.abort();
        },
      },
      emit: onEvent,
    });
    await one.run(controller.signal);
  }

  test("has each block once and in order, from either of two publishers", async () => {
    const isFirst: boolean[] = [];
    const onEvent = (event: PublisherEvent) => {
      if (event.type === "published" && event.kind === "block") isFirst.push(event.isFirst);
    };
    await Promise.all(["one", "two"].map((publisher) => publish("two", { publisher, onEvent })));
    const { heights, said } = await followStream(server.url, "two");
    expect(heights).toEqual(all);
    for (const by of said.values()) expect(by.toSorted()).toEqual(["one", "two"]);
    expect([...said.keys()].filter((what) => what.includes(" valid "))).toHaveLength(blocks + 1);
    expect(isFirst.filter(Boolean)).toHaveLength(blocks + 1);
    expect(isFirst).toHaveLength(2 * (blocks + 1));
  });

  test("is caught up with when the server was killed, and when it has lost its store", async () => {
    let seen = 0;
    let killing: Promise<void> | undefined;
    const failures: string[] = [];
    const onEvent = (event: PublisherEvent) => {
      if (event.type === "failed") failures.push(event.error.message);
      if (event.type !== "published" || ++seen !== 5) return;
      killing = server.kill().then(() => server.begin());
    };
    const cursor: { place: PublisherPosition | undefined } = { place: undefined };
    await publish("killed", { onEvent, cursor });
    await killing;
    expect(failures.length).toBeGreaterThan(0);
    expect((await followStream(server.url, "killed")).heights).toEqual(all);

    await server.kill(true);
    await server.begin();
    await publish("killed", { cursor });
    expect((await followStream(server.url, "killed")).heights).toEqual(all);
  });

  test("is filled again after a purge, while the publisher runs and before it is started again", async () => {
    const names = new StreamNames("purged");
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    const cursor: { place: PublisherPosition | undefined } = { place: undefined };
    const events: string[] = [];
    const onEvent = ({ type }: PublisherEvent) => void events.push(type);
    await publish("purged", { cursor, onEvent });
    expect((await followStream(server.url, "purged")).heights).toEqual(all);
    await streams.purge(names.stream);
    await publish("purged", { cursor, onEvent });
    expect(events).toContain("purged");
    expect((await followStream(server.url, "purged")).heights).toEqual(all);

    const controller = new AbortController();
    await using port = new JetStreamPort(names, { servers: [server.url], timeoutMs: 1_000 });
    const { blocks: table, states, findOutcome, log } = chain;
    const running = new Publisher({
      ...{ network: "purged", publisher: "one", blocks: table, states, findOutcome, log, port },
      ...{ pollMs: 5, lookMs: 5, emit: onEvent },
      cursor: { read: () => cursor.place, write: () => {} },
    });
    const ended = running.run(controller.signal);
    await streams.purge(names.stream);
    await expect
      .poll(async () => (await followStream(server.url, "purged").catch(() => undefined))?.heights)
      .toEqual(all);
    controller.abort();
    await ended;
    await connection.close();
  });

  test("sends heartbeats of its publishers to followers, also after the server was killed", async () => {
    const names = new StreamNames("alive");
    const options = { servers: [server.url] };
    await using port = new JetStreamPort(names, options);
    await using source = new JetStreamSource(names, options);
    const received: string[] = [];
    source.subscribe(names.lives, (subject, bytes) => received.push(`${subject} ${new TextDecoder().decode(bytes)}`));
    await port.open();
    await source.open();
    const arrives = async (word: string) => {
      await expect
        .poll(async () => {
          await Promise.all([port.open(), source.open()]).catch(() => undefined);
          try {
            port.announce(names.life("one"), new TextEncoder().encode(word));
          } catch {
            // The server is not back yet.
          }
          return received.at(-1);
        })
        .toBe(`${names.life("one")} ${word}`);
    };
    await arrives("first");
    await arrives("second");
    expect(await source.subjects(names.lives)).toEqual([names.life("one")]);
    expect(new TextDecoder().decode(await port.find(names.life("one")))).toBe("first");
    expect(await source.open()).toMatchObject({ newest: 0 });
    await server.kill();
    await server.begin();
    await arrives("third");
  });

  test("does not delay a stop where its server stopped answering", async () => {
    const names = new StreamNames("silent");
    const options = { servers: [server.url], timeoutMs: 3_600_000 };
    const stop = new AbortController();
    await using port = new JetStreamPort(names, options);
    await using source = new JetStreamSource(names, options);
    using _port = closeAfter(stop.signal, port);
    using _source = closeAfter(stop.signal, source);
    await port.open();
    await source.open();
    const reading = source.read(1, stop.signal);
    const next = reading.next().then(
      () => "ended",
      () => "ended",
    );
    await server.freeze();
    try {
      const waiting = [port.publish(names.final(new Uint8Array(32)), new Uint8Array(1)), source.find(names.alarms)];
      const ended = Promise.all(waiting.map((one) => one.catch((error: Error) => error.message)));
      stop.abort();
      const reason = expect.stringMatching(/^The NATS server .* cannot be used: /);
      expect(await ended).toEqual([reason, reason]);
      expect(await next).toBe("ended");
    } finally {
      server.thaw();
    }
  });

  test("is refused where another stream has its name, or the server allows no use", async () => {
    const names = new StreamNames("foreign");
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    await streams.add({ name: names.stream, subjects: [names.all] });
    await connection.close();
    await expect(publish("foreign")).rejects.toThrow("is not one of ours");

    await using guarded = await NatsServer.start(["--user", "vedette", "--pass", "a-word-of-this-test"]);
    const own = new StreamNames("guarded");
    const errors: string[] = [];
    const options = { servers: [guarded.url], user: "vedette", password: "another" };
    await using port = new JetStreamPort(own, options);
    await port.open().catch((error: Error) => errors.push(error.message));
    expect(errors).toEqual([expect.stringMatching(/^The NATS server .* cannot be used: .*Authorization/i)]);
    await using right = new JetStreamPort(own, { ...options, password: "a-word-of-this-test" });
    const [made, again] = [await right.open(), await right.open()];
    expect(made).toBe(again);
    expect([await right.publish(own.final(new Uint8Array(32)), new Uint8Array(1))]).toEqual([true]);
    expect([await right.publish(own.final(new Uint8Array(32)), new Uint8Array(1))]).toEqual([false]);
    expect(await right.find(own.final(new Uint8Array(32)))).toEqual(new Uint8Array(1));
    expect(await right.find(own.final(new Uint8Array(32).fill(1)))).toBeUndefined();
  });

  test("lets no publisher speak for another, with the permissions that the how-to names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vedette-nats-users-"));
    const names = new StreamNames("trusted");
    const user = (name: string) => {
      const own = [names.said("*", "valid", name).replace(".valid.", ".*."), names.life(name)];
      const common = ["block", "final", "part", "alarm"].map((kind) => names.all.replace(">", `${kind}.>`));
      const publish = [...common, ...own, "$JS.API.>"].map((subject) => `"${subject}"`).join(", ");
      return `{ user: ${name}, password: "of ${name}", permissions: { publish: [${publish}], subscribe: ["_INBOX.>"] } }`;
    };
    writeFileSync(join(folder, "users.conf"), `authorization { users: [ ${user("one")}, ${user("two")} ] }`);
    try {
      await using guarded = await NatsServer.start(["-c", join(folder, "users.conf")]);
      const as = (name: string) => ({ servers: [guarded.url], user: name, password: `of ${name}` });
      // They are all that it needs.
      for (const publisher of ["one", "two"]) await publish("trusted", { publisher, options: as(publisher) });
      const unpublished = "ab".repeat(32);
      await using port = new JetStreamPort(names, as("one"));
      await port.open();
      expect(await port.publish(names.said(unpublished, "valid", "one"), Uint8Array.of(1))).toBe(true);
      await expect(port.publish(names.said(unpublished, "valid", "two"), Uint8Array.of(1))).rejects.toThrow(
        /cannot be used: .*permission/i,
      );
      expect(await port.find(names.said(unpublished, "valid", "two"))).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

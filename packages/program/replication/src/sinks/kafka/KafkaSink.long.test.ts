import { Consumer, type MessagesStream, stringDeserializers } from "@platformatic/kafka";
import { KafkaServer, skipNote, until, whyNoKafka } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SinkEvent } from "../Sink.js";
import { KafkaSink } from "./KafkaSink.js";

const never = new AbortController().signal;
const reason = whyNoKafka();

function eventOf(number: number): SinkEvent {
  return { id: `log-${number}`, kind: "transfer", key: `deploy ${number % 5}`, body: `{"n":"${number}"}` };
}

describe.skipIf(reason !== undefined)(`Kafka${skipNote(reason)}`, () => {
  let server: KafkaServer;

  beforeAll(async () => {
    server = await KafkaServer.start();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  interface Message {
    readonly key: string;
    readonly value: string;
    readonly partition: number;
    readonly id: string | undefined;
    readonly kind: string | undefined;
  }

  /** The messages of a topic as a consumer group is given them, until there are as many as are wanted. */
  function readUntil(topic: string, isEnough: (found: readonly Message[]) => boolean): Promise<readonly Message[]> {
    let attempts = 0;
    return until("a group to be given the messages", async () => {
      attempts += 1;
      try {
        return await readAs(`readers-${topic}-${attempts}`, topic, isEnough);
      } catch {
        // A broker that has just begun coordinates no groups yet.
        return undefined;
      }
    });
  }

  async function readAs(groupId: string, topic: string, isEnough: (found: readonly Message[]) => boolean) {
    const consumer = new Consumer({
      ...{ groupId, clientId: "test", bootstrapBrokers: [server.broker] },
      deserializers: stringDeserializers,
    });
    const found: Message[] = [];
    let stream: MessagesStream<string, string, string, string> | undefined;
    try {
      stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false });
      for await (const { key, value, partition, headers } of stream) {
        found.push({ key, value, partition, id: headers.get("id"), kind: headers.get("kind") });
        if (isEnough(found)) break;
      }
    } finally {
      await stream?.close();
      await consumer.close(true);
    }
    return found;
  }

  /** Hands events on until they are taken: a broker that has just begun may have no leader of a partition yet. */
  async function untilTaken(sink: KafkaSink, some: readonly SinkEvent[]): Promise<void> {
    await until("the broker to take the events", async () => {
      try {
        await sink.open();
        await sink.deliver(some, never);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ failure: { code: "notTaken" } });
        return false;
      }
    });
  }

  const idsOf = (some: readonly { readonly id: string | undefined }[]) => [...new Set(some.map(({ id }) => id))].sort();

  test("events of a key are in one partition, in their order, with their ids", async () => {
    await using sink = new KafkaSink({ brokers: [server.broker], topic: "events" });
    const events = Array.from({ length: 50 }, (_, number) => eventOf(number));
    for (let at = 0; at < events.length; at += 20) await untilTaken(sink, events.slice(at, at + 20));
    const all = await readUntil("events", (some) => idsOf(some).length >= events.length);
    // A repeated delivery may be there twice.
    const found = all.filter((one, index) => all.findIndex(({ id }) => id === one.id) === index);
    for (const key of new Set(events.map((event) => event.key))) {
      const mine = found.filter((one) => one.key === key);
      expect(new Set(mine.map(({ partition }) => partition)).size).toBe(1);
      const wanted = events.filter((event) => event.key === key);
      expect(mine.map(({ id, kind, value }) => [id, kind, value])).toEqual(
        wanted.map(({ id, kind, body }) => [id, kind, body]),
      );
    }
    expect(new Set(found.map(({ partition }) => partition)).size).toBeGreaterThan(1);
  });

  test("a broker that is killed takes nothing, and everything when it is back", async () => {
    await using sink = new KafkaSink({ brokers: [server.broker], topic: "killed", timeoutMs: 2_000 });
    const events = Array.from({ length: 30 }, (_, number) => eventOf(number));
    await untilTaken(sink, events.slice(0, 10));
    await server.kill();
    await expect(sink.deliver(events.slice(10), never)).rejects.toMatchObject({ failure: { code: "notTaken" } });
    await server.begin();
    await untilTaken(sink, events.slice(10));
    // A message that a broker took before it was killed, without an answer to the sink, is there twice.
    const found = await readUntil("killed", (some) => idsOf(some).length >= events.length);
    expect(idsOf(found)).toEqual(idsOf(events));
  });

  test("brokers that are not there are reported", async () => {
    await using sink = new KafkaSink({ brokers: ["127.0.0.1:1"], topic: "events", timeoutMs: 1_000 });
    await expect(sink.open()).rejects.toThrow("the topic events of 127.0.0.1:1 did not accept the event: ");
  });
});

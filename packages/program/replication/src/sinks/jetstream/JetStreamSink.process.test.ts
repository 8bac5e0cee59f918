import { patienceMs, until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectJetStream, type JetStreamConnection } from "../../stream/index.js";
import { NatsServer } from "../../stream/testing/index.js";
import type { SinkEvent } from "../Sink.js";
import { JetStreamSink } from "./JetStreamSink.js";

const never = new AbortController().signal;
let server: NatsServer;

beforeAll(async () => {
  server = await NatsServer.start();
});
afterAll(() => server?.[Symbol.asyncDispose]());

function sinkOf(more: { readonly stream?: string; readonly timeoutMs?: number } = {}): JetStreamSink {
  return new JetStreamSink({ servers: [server.url], stream: "EVENTS", prefix: "events", ...more });
}

/** Hands events on until they are taken: each is in the stream once, however often it is tried. */
async function untilTaken(sink: JetStreamSink, events: readonly SinkEvent[]): Promise<void> {
  await until("the server to take the events", async () => {
    try {
      await sink.open();
      await sink.deliver(events, never);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ failure: { code: "notTaken" } });
      return false;
    }
  });
}

function eventOf(number: number): SinkEvent {
  return {
    id: `log-${number}`,
    kind: number % 2 === 0 ? "transfer" : "blockAdded",
    key: "chain",
    body: `{"n":${number}}`,
  };
}

/** Uses a connection of its own: one that was made before the server was killed may still be on its way back. */
async function connected<T>(use: (streams: JetStreamConnection["manager"]["streams"]) => Promise<T>): Promise<T> {
  const { nats, manager } = await connectJetStream({ servers: [server.url], timeoutMs: patienceMs() });
  try {
    return await use(manager.streams);
  } finally {
    await nats.close();
  }
}

/** All that a stream has, in its order. */
function messagesIn(stream: string): Promise<readonly (readonly string[])[]> {
  return connected(async (streams) => {
    const { state } = await streams.info(stream);
    const found: string[][] = [];
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
      const message = (await streams.getMessage(stream, { seq }))!;
      const header = (name: string) => message.header.get(name);
      found.push([message.subject, header("Nats-Msg-Id"), header("Vedette-Key"), message.string()]);
    }
    return found;
  });
}

test("events are in the stream in their order, once, also when they are handed on again over a server that was killed", async () => {
  await using sink = sinkOf({ timeoutMs: 1_000 });
  const events = Array.from({ length: 40 }, (_, number) => eventOf(number));
  await untilTaken(sink, events.slice(0, 30));
  await server.kill();
  await expect(sink.deliver(events.slice(20), never)).rejects.toMatchObject({ failure: { code: "notTaken" } });
  await server.begin();
  await untilTaken(sink, events.slice(20));
  const wanted = events.map(({ id, kind, key, body }) => [`events.${kind}`, id, key, body]);
  expect(await messagesIn("EVENTS")).toEqual(wanted);
});

test("a stream with other subjects is refused, and nothing is put into it", async () => {
  await connected((streams) => streams.add({ name: "OTHER", subjects: ["other.>"] }));
  await using sink = sinkOf({ stream: "OTHER" });
  await expect(sink.open()).rejects.toThrow("the stream OTHER of nats://127.0.0.1:");
  await expect(sink.open()).rejects.toThrow("it keeps other.>, and not events.>; give another --stream or --subject");
  await expect(sink.open()).rejects.toMatchObject({ failure: { code: "refused" } });
  expect(await messagesIn("OTHER")).toEqual([]);
});

test("a server that is not there is a failure that may pass", async () => {
  await using sink = new JetStreamSink({
    ...{ servers: ["nats://127.0.0.1:1"], stream: "EVENTS", prefix: "events", timeoutMs: 500 },
  });
  await expect(sink.open()).rejects.toMatchObject({ failure: { code: "notTaken" } });
});

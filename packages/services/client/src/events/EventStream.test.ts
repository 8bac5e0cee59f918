import type { ServerResponse } from "node:http";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { ClientError } from "../failure/ClientError.js";
import { HttpConnection } from "../http/HttpConnection.js";
import { FakeHttpNode } from "../testing/fakes/FakeHttpNode.js";
import { EventStream } from "./EventStream.js";
import type { EventStreamOptions, StreamEvent } from "./EventStreamOptions.js";
import { SseParser } from "./SseParser.js";

function transfer(number: number): string {
  const event = {
    kind: "transfer",
    cursor: `c-${number}`,
    from: "1111a",
    to: "1111b",
    amount: number,
    isSuccessful: true,
    failReason: null,
    deployId: "3045",
    deployer: "04",
    blockHash: "aa".repeat(32),
    blockNumber: number,
  };
  return `id: c-${number}\nevent: transfer\ndata: ${JSON.stringify(event)}\n\n`;
}

function message(kind: string, more: object = {}): string {
  return `event: ${kind}\ndata: ${JSON.stringify({ kind, cursor: "c-0", ...more })}\n\n`;
}

const started = message("started", { names: [{ name: "text:x", channelHash: "bb".repeat(32) }] });
const quick = { retryPauseMs: 1 };

/** Starts a node that serves each connection with one of the functions; the last one for ever. */
async function nodeWith(...connections: ((response: ServerResponse) => void)[]): Promise<FakeHttpNode> {
  let next = 0;
  return FakeHttpNode.start(() => (response) => {
    connections[Math.min(next++, connections.length - 1)]!(response);
  });
}

function streaming(...texts: string[]): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) response.write(text);
  };
}

function thenCut(serve: (response: ServerResponse) => void): (response: ServerResponse) => void {
  return (response) => {
    serve(response);
    // The written data goes out first.
    response.write("\n", () => setImmediate(() => response.destroy()));
  };
}

function refusing(status: number, problem: object): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ type: "about:blank", title: "No", status, ...problem }));
  };
}

async function take(stream: EventStream, count: number): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

function streamOf(node: FakeHttpNode, options: EventStreamOptions = {}): EventStream {
  return new EventStream(new HttpConnection({ url: node.url, timeoutMs: 3_600_000 }), { ...quick, ...options });
}

async function failureOf(stream: EventStream): Promise<ClientError["failure"]> {
  const error = await take(stream, 1_000).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  return (error as ClientError).failure;
}

test("events are typed, their integers exact; the request names what is wanted", async () => {
  await using node = await nodeWith(streaming(started, transfer(1), message("heartbeat"), transfer(2)));
  const stream = streamOf(node, { kinds: ["transfer", "dataSent"], names: ["text:x y"], after: "oldest" });
  const events = await take(stream, 2);
  expect(events.map(({ cursor, blockNumber }) => [cursor, blockNumber])).toEqual([
    ["c-1", 1n],
    ["c-2", 2n],
  ]);
  expect(stream.names).toEqual([{ name: "text:x", channelHash: "bb".repeat(32) }]);
  expect(stream.cursor).toBe("c-2");
  expect(node.requests[0]?.path).toBe("/v2/events?kind=transfer&kind=dataSent&name=text%3Ax+y&after=oldest");
});

test("after every kind of disconnect the stream goes on at its cursor", async () => {
  await using node = await nodeWith(
    thenCut(streaming(started, transfer(1))),
    refusing(503, { detail: "full" }),
    (response) => response.destroy(),
    streaming(transfer(2), message("behind", { detail: "too slow" })),
    streaming(message("closing", { detail: "the node is stopping" })),
    streaming(message("problem", { detail: "later", code: "transfersUnavailable" })),
    (response) => {
      streaming(transfer(3))(response);
      response.end();
    },
    streaming(message("heartbeat", { cursor: "c-4" }), ": comment\n\n", transfer(5)),
  );
  const reasons: string[] = [];
  const stream = streamOf(node, { onDisconnect: (reason) => void reasons.push(reason.message) });
  const events = await take(stream, 4);
  expect(events.map(({ cursor }) => cursor)).toEqual(["c-1", "c-2", "c-3", "c-5"]);
  const cursors = node.requests.map(({ path }) => new URL(path, node.url).searchParams.get("after"));
  expect(cursors.slice(0, 4)).toEqual([null, "c-1", "c-1", "c-1"]);
  expect(cursors.slice(4)).toEqual(["c-2", "c-2", "c-2", "c-3"]);
  expect(reasons.length).toBe(7);
  expect(reasons.join()).toMatch(/full.*too slow.*the node is stopping.*later.*ended the stream/);
});

test("a stream that was left goes on where it was", async () => {
  await using node = await nodeWith(streaming(started, transfer(1), transfer(2)), streaming(transfer(3)));
  const stream = streamOf(node);
  expect((await take(stream, 1))[0]?.cursor).toBe("c-1");
  expect((await take(stream, 1))[0]?.cursor).toBe("c-3");
  expect(node.requests[1]?.path).toBe("/v2/events?after=c-1");
});

test("a cursor that is gone ends the stream and names the oldest", async () => {
  const gone = { detail: "gone", code: "cursorTooOld", oldest: "c-9" };
  for (const serve of [refusing(410, gone), streaming(message("problem", gone))]) {
    await using node = await nodeWith(serve);
    const stream = streamOf(node, { after: "c-1" });
    expect(await failureOf(stream)).toMatchObject({ code: "cursorGone", cursor: "c-1", oldest: "c-9" });
  }
});

test("a request that is wrong from the beginning fails at once", async () => {
  await using refused = await nodeWith(refusing(400, { detail: "no such kind", field: "query.kind" }));
  expect(await failureOf(streamOf(refused))).toMatchObject({ code: "refused", problem: { field: "query.kind" } });
  await using noise = await nodeWith(streaming("data: noise\n\n"));
  expect(await failureOf(streamOf(noise))).toMatchObject({ code: "notUnderstood" });
  await using wrong = await nodeWith(streaming('data: {"kind":"transfer","cursor":1}\n\n'));
  expect(await failureOf(streamOf(wrong))).toMatchObject({ code: "notUnderstood" });
  const gone = await nodeWith(streaming());
  await gone[Symbol.asyncDispose]();
  expect(await failureOf(streamOf(gone))).toMatchObject({ code: "unreachable" });
  expect(await failureOf(streamOf(gone, { giveUpAfterMs: 30 }))).toMatchObject({ code: "unreachable" });
});

test("a connection on which nothing comes is given up, and kinds of an f1r3node node are passed over", async () => {
  await using node = await nodeWith(streaming(started, message("somethingNew")), streaming(transfer(1)));
  const reasons: string[] = [];
  const stream = streamOf(node, { silenceMs: 40, onDisconnect: ({ message: text }) => void reasons.push(text) });
  expect((await take(stream, 1))[0]?.cursor).toBe("c-1");
  expect(reasons.join()).toContain("nothing came for 40 ms");
});

test("a signal ends the stream without an error, whatever it is doing", async () => {
  const controller = new AbortController();
  await using node = await nodeWith((response) => {
    streaming(started, transfer(1))(response);
  });
  const events: StreamEvent[] = [];
  for await (const event of streamOf(node, { signal: controller.signal })) {
    events.push(event);
    setTimeout(() => controller.abort(), 5);
  }
  expect(events.length).toBe(1);
  expect(await take(streamOf(node, { signal: AbortSignal.abort() }), 1)).toEqual([]);
});

test("a slow reader holds the node up, not its own memory", async () => {
  let written = 0;
  let isFull = () => false;
  await using node = await nodeWith((response) => {
    isFull = () => response.writableNeedDrain;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = () => {
      do written += 1;
      while (response.write(transfer(written)) && written < 500_000);
    };
    response.on("drain", more);
    more();
  });
  let read = 0;
  for await (const _ of streamOf(node)) {
    read += 1;
    if (read === 3) break;
    let before = -1;
    const isHeldUp = () => {
      const isStill = isFull() && written === before;
      before = written;
      return isStill || written >= 500_000;
    };
    await until("the node to find no more room", isHeldUp, { everyMs: 20 });
  }
  expect(written).toBeLessThan(100_000);
});

test("events are found however the bytes are cut", () => {
  const text = 'retry: 5\r\n: hello\r\ndata: {"a":1}\r\n\r\nevent: x\ndata:b\ndata: c\n\n\rdata: d\r\r';
  for (let size = 1; size <= text.length; size += 1) {
    const parser = new SseParser();
    const events: string[] = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    events.push(...parser.push("\n"));
    expect(events).toEqual(['{"a":1}', "b\nc", "d"]);
  }
  const endless = new SseParser();
  expect(() => {
    for (;;) endless.push(`data: ${"x".repeat(1_000_000)}\n`);
  }).toThrow(RangeError);
});

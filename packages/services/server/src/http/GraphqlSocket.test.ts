import { EventEmitter } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import { type GraphqlReply, LiveQueries } from "@vedette/indexer";
import { expect, test } from "vitest";
import { GraphqlSocket } from "./GraphqlSocket.js";
import { UnsentAnswers } from "./UnsentAnswers.js";

/** A client that reads when the test lets it. */
class MadeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly sent: unknown[] = [];
  isReading = true;
  readonly #unread: (() => void)[] = [];

  get bufferedAmount(): number {
    return 0;
  }

  send(data: unknown, _options?: unknown, done?: () => void): void {
    this.sent.push(data);
    if (done === undefined) return;
    if (this.isReading) done();
    else this.#unread.push(done);
  }

  close(): void {
    this.terminate();
  }

  terminate(): void {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    this.emit("close");
    for (const done of this.#unread) done();
  }

  get text(): string {
    return this.sent.map(String).join("");
  }
}

/** An index with answers of some length, with a number that grows. */
class MadeIndex {
  asked = 0;
  changed: () => void = () => {};
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  async graphql(): Promise<GraphqlReply> {
    this.asked += 1;
    const json = JSON.stringify({ data: "x".repeat(this.#length), number: this.asked });
    return { bytes: Buffer.from(json), isRefused: false, operation: "subscription" };
  }

  onChange(listener: () => void): () => void {
    this.changed = listener;
    return () => {};
  }
}

function subscribers(index: MadeIndex, count: number, maxBytes: number): MadeSocket[] {
  const live = new LiveQueries(index, 5);
  const unsent = new UnsentAnswers(maxBytes);
  return Array.from({ length: count }, () => {
    const socket = new MadeSocket();
    new GraphqlSocket(socket as unknown as WebSocket, {
      live,
      unsent,
      client: undefined,
      answer: () => index.graphql(),
    });
    socket.emit("message", Buffer.from(`{"type":"connection_init"}`));
    socket.emit("message", Buffer.from(`{"type":"subscribe","id":"1","payload":{"query":"subscription { a }"}}`));
    return socket;
  });
}

const answersOf = ({ sent }: MadeSocket) => sent.filter((each) => Buffer.isBuffer(each));

test("an answer that many wait for is converted once", async () => {
  const index = new MadeIndex(10);
  const sockets = subscribers(index, 20, 1_000);
  await expect.poll(() => sockets.every((socket) => answersOf(socket).length === 1)).toBe(true);
  index.changed();
  await expect.poll(() => sockets.every((socket) => answersOf(socket).length === 2)).toBe(true);
  const [first] = answersOf(sockets[0]!).slice(-1);
  expect(sockets.every((socket) => answersOf(socket).at(-1) === first)).toBe(true);
  expect(sockets[0]!.text).toMatch(/\{"type":"next","id":"1","payload":\{"data":"x{10}","number":\d+\}\}$/);
});

test("unread answers have a bound for all connections together; the slowest reader is cut off first", async () => {
  const index = new MadeIndex(1_000);
  const sockets = subscribers(index, 6, 2_500);
  await expect.poll(() => sockets.every((socket) => answersOf(socket).length === 1)).toBe(true);
  const slow = sockets.slice(0, 2);
  for (const socket of slow) socket.isReading = false;
  for (const round of [2, 3, 4, 5]) {
    index.changed();
    await expect.poll(() => sockets.slice(2).every((socket) => answersOf(socket).length === round)).toBe(true);
  }
  expect(sockets.map(({ readyState }) => readyState)).toEqual([3, 3, 1, 1, 1, 1]);
  expect(slow.map((socket) => answersOf(socket).length)).toEqual([3, 3]);
});

test("questions of a client that has left, or has ended them, are given up", () => {
  const index = new MadeIndex(10);
  const signals: AbortSignal[] = [];
  const socket = new MadeSocket();
  new GraphqlSocket(socket as unknown as WebSocket, {
    live: new LiveQueries(index),
    unsent: new UnsentAnswers(1_000_000),
    client: undefined,
    answer: (_, { signal }) => {
      signals.push(signal!);
      return new Promise(() => {});
    },
  });
  const say = (message: object) => socket.emit("message", Buffer.from(JSON.stringify(message)));
  say({ type: "connection_init" });
  for (const id of ["1", "2"]) say({ type: "subscribe", id, payload: { query: "subscription { a }" } });
  say({ type: "complete", id: "1" });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  socket.terminate();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ClientError } from "../failure/ClientError.js";
import { NodeClient } from "./NodeClient.js";

type Behaviour = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** Requests a block and a list of blocks from a misbehaving server. */
async function failuresAt(behave: Behaviour, timeoutMs = 3_600_000): Promise<string[]> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    behave(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  using client = new NodeClient({
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    timeoutMs,
    maxMessageBytes: 100_000,
    retryPauseMs: 1,
  });
  const failures = [await failureCode(client.block("aaaaaa")), await failureCode(client.blocks(1))];
  client.close();
  for (const session of sessions) session.destroy();
  server.close();
  return failures;
}

async function failureCode(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClientError);
  return (error as ClientError).failure.code;
}

const grpc = { ":status": 200, "content-type": "application/grpc" };

function frame(size: number, bytes: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(size, 1);
  return Buffer.concat([head, bytes]);
}

function answering(body: Uint8Array, headers: Record<string, string | number> = grpc, status = "0"): Behaviour {
  return (stream) => {
    stream.respond(headers, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": status }));
    stream.end(body);
  };
}

/** A block with a message within a message as its first field, and so on. */
function nested(depth: number): Uint8Array {
  let bytes = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1)
    bytes = Buffer.concat([Buffer.from([0x0a]), varint(bytes.length), bytes]);
  return bytes;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.from(bytes);
  }
}

const deep = nested(10_000);
const noise = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 73 + 41) % 256));

test.each<[string, Behaviour]>([
  ["says nothing", () => {}],
  ["cuts the stream", (stream) => stream.close(2)],
  ["cuts the connection", (stream) => stream.session?.destroy()],
  ["goes away", (stream) => stream.session?.goaway(0)],
  ["answers with a page", answering(Buffer.from("<html>"), { ":status": 200, "content-type": "text/html" })],
  ["has no such page", answering(Buffer.from("no"), { ":status": 404, "content-type": "text/plain" })],
  ["is busy", answering(Buffer.from("no"), { ":status": 503, "content-type": "text/plain" })],
  ["ends a frame before its end", answering(frame(1_000, noise))],
  ["announces four gigabytes", answering(frame(0xffff_ffff, noise))],
  ["sends more than is allowed", answering(frame(200_000, Buffer.alloc(200_000)))],
  ["sends noise", answering(frame(noise.length, noise))],
  ["claims compression", answering(frame(noise.length, noise, 1))],
  ["claims gzip", answering(frame(noise.length, noise, 1), { ...grpc, "grpc-encoding": "gzip" })],
  ["sends a status of its own", answering(Buffer.alloc(0), grpc, "9999")],
  [
    "ends without a status",
    (stream) => {
      stream.respond(grpc);
      stream.end();
    },
  ],
  ["nests without end", answering(frame(deep.length, deep))],
])("a node that %s is reported, and does no harm", async (name, behave) => {
  // These two never send anything.
  const timeoutMs = ["says nothing", "goes away"].includes(name) ? 50 : 3_600_000;
  for (const code of await failuresAt(behave, timeoutMs)) {
    expect(["timedOut", "unreachable", "notUnderstood", "tooLarge", "notOffered"]).toContain(code);
  }
});

test("a call that a node has not begun with is made again, as it is when a connection is about to close", async () => {
  const tried: string[] = [];
  const refuse: Behaviour = (stream, headers) => {
    tried.push(String(headers[":path"]).split("/").at(-1)!);
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  };
  expect(await failuresAt(refuse)).toEqual(["unreachable", "unreachable"]);
  const times = (call: string) => [call, call, call, call];
  expect(tried).toEqual([...times("getBlock"), ...times("getBlocks")]);
});

test.each([
  ["before its status", Buffer.alloc(0)],
  ["amid its message", frame(1_000, noise)],
])("a read that is cut %s is made again: so a proxy behaves when its node goes away", async (_where, bytes) => {
  const tried: string[] = [];
  const behave: Behaviour = (stream, headers) => {
    tried.push(String(headers[":path"]).split("/").at(-1)!);
    stream.respond(grpc);
    stream.end(bytes);
  };
  expect(await failuresAt(behave)).toEqual(["unreachable", "unreachable"]);
  const times = (call: string) => [call, call, call];
  expect(tried).toEqual([...times("getBlock"), ...times("getBlocks")]);
});

import { constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { BlocksQuerySchema, DataAtNameQuerySchema, IsFinalizedQuerySchema } from "@vedette/api/grpc";
import { fromHex } from "@vedette/crypto";
import { signDeploy } from "@vedette/protocol";
import { until } from "@vedette/testing";
import { afterEach, describe, expect, test } from "vitest";
import { answerOf, beginCall, framed } from "../testing/grpcTest.js";
import {
  call,
  connectionsOf,
  endStarted,
  expectHealthy,
  expectServes,
  passUntil,
  path,
  privateKey,
  publicKey,
  start,
  statusCall,
  stopTime,
  untilCalls,
  untilNoConnection,
} from "../testing/startedGrpc.js";

afterEach(endStarted);

describe("requests", () => {
  test("that are larger than allowed are refused as such", async () => {
    const server = await start({ maxMessageBytes: 1_000_000 });
    const announced = Buffer.alloc(5);
    announced.writeUInt32BE(4_000_000_000, 1);
    for (const request of [
      framed(new Uint8Array(1_000_001)),
      announced,
      Buffer.concat([announced, Buffer.alloc(100)]),
    ]) {
      const answer = await call(server, "doDeploy", request);
      expect(answer.status).toBe(8);
    }
    expect((await call(server, "isFinalized", framed(isFinalizedOf(999_900)))).status).toBe(0);
    await expectHealthy(server);
  });

  test("that grow when they are unpacked are refused as such", async () => {
    const server = await start();
    const bomb = gzipSync(new Uint8Array(20_000_000));
    const session = server.connect();
    const stream = session.request({
      ":method": "POST",
      ":path": path("isFinalized"),
      te: "trailers",
      "content-type": "application/grpc",
      "grpc-encoding": "gzip",
    });
    const answered = answerOf(stream);
    stream.end(framed(bomb, 1));
    expect((await answered).status).toBe(8);
    session.destroy();
    await expectHealthy(server);
  });

  test("may be compressed; answers are not", async () => {
    const server = await start();
    const session = server.connect();
    const stream = session.request({
      ":method": "POST",
      ":path": path("getBlocks"),
      te: "trailers",
      "content-type": "application/grpc",
      "grpc-encoding": "gzip",
      "grpc-accept-encoding": "gzip",
    });
    const flags: number[] = [];
    stream.on("data", (piece: Buffer) => flags.push(piece[0]!));
    const answered = answerOf(stream);
    stream.end(framed(gzipSync(toBinary(BlocksQuerySchema, create(BlocksQuerySchema, { depth: 1 }))), 1));
    const answer = await answered;
    expect([answer.status, answer.messages.length, flags[0]]).toEqual([0, 1, 0]);
    session.destroy();
  });

  test("of garbage end in a status", async () => {
    const server = await start();
    const garbage = [
      fromHex("ff"),
      fromHex("0affffffff0f"),
      new Uint8Array(1_000).fill(0x0b),
      fromHex("12ffffffffffffffffff01"),
    ];
    for (const bytes of garbage) {
      for (const method of [
        "doDeploy",
        "getBlock",
        "listenForDataAtName",
        "listenForContinuationAtName",
        "findDeploy",
      ]) {
        const answer = await call(server, method, framed(bytes));
        expect([answer.status, answer.messages]).not.toEqual([0, []]);
        expect(Number.isNaN(answer.status)).toBe(false);
      }
    }
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(3),
      Buffer.from([9, 0, 0, 0, 0]),
      Buffer.from([0, 0, 0, 0, 5, 1]),
    ])
      expect((await call(server, "getBlock", bytes)).status).not.toBe(0);
    await expectHealthy(server);
  });

  test("with a term nested without end are refused", async () => {
    const server = await start();
    let name = new Uint8Array(0);
    for (let depth = 0; depth < 400; depth += 1) name = nested(nested(name, 0x0a), 0x5a);
    const request = toBinary(DataAtNameQuerySchema, create(DataAtNameQuerySchema, { depth: 1 }));
    const answer = await call(server, "listenForDataAtName", framed(Buffer.concat([request, nested(name, 0x12)])));
    expect(answer.status).not.toBe(0);
    await expectHealthy(server);
  });

  test("with a huge program are answered", async () => {
    const server = await start();
    const unsigned = { timestamp: 1n, phloPrice: 1n, phloLimit: 1n, validAfterBlockNumber: 0n, shardId: "root" };
    for (const term of [`[${"1,".repeat(100_000)}`, "(".repeat(200_000)]) {
      const deploy = signDeploy({ ...unsigned, term }, { algorithm: "secp256k1", privateKey, publicKey });
      const { signature: sig, algorithm: sigAlgorithm, ...rest } = deploy;
      const { message } = await server.deploys().doDeploy({ ...rest, sig, sigAlgorithm });
      expect(message.case === "error" && message.value.messages[0]).toMatch(/^Parsing error: Error in parsing term/);
    }
    await expectHealthy(server);
  });

  test("in another language than gRPC's are turned away", async () => {
    const server = await start();
    const session = server.connect();
    const statuses: unknown[] = [];
    for (const headers of [
      { ":method": "GET", ":path": path("status") },
      { ":method": "POST", ":path": path("status"), "content-type": "application/xml" },
      { ":method": "POST", ":path": `/${"x".repeat(10_000)}`, "content-type": "application/grpc" },
      { ":method": "POST", ":path": "/%ff%fe/..", "content-type": "application/grpc" },
    ]) {
      const stream = session.request(headers);
      stream.on("error", () => {});
      stream.on("response", (response) => statuses.push(response["grpc-status"] ?? response[":status"]));
      const closed = answerOf(stream);
      stream.end();
      await closed;
    }
    expect(statuses).toEqual([405, 415, "12", "12"]);
    session.destroy();
    await expectHealthy(server);
  });
});

describe("connections", () => {
  test("with hundreds of calls are served, as many as allowed at once", async () => {
    const server = await start();
    const session = server.connect();
    const answers = await Promise.all(Array.from({ length: 250 }, () => statusCall(session)));
    expect(answers.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(100);
    session.destroy();
    await expectHealthy(server);
  });

  test("with calls that never go on lose them", async () => {
    const server = await start({ stallMs: 100 });
    const session = server.connect();
    const calls = Array.from({ length: 50 }, () => {
      const stream = beginCall(session, path("doDeploy"));
      stream.write(Buffer.from([0, 0, 1]));
      return answerOf(stream);
    });
    const answers = await Promise.all(calls);
    expect(answers.every(({ status }) => status !== 0)).toBe(true);
    await until("the requests to be forgotten", () => server.external.requestBytes === 0);
    session.destroy();
    await expectServes(server);
  });

  test("have no more calls under way than the server can bear", async () => {
    const server = await start({ maxCalls: 5 });
    const session = server.connect();
    const begun = Array.from({ length: 5 }, () => beginCall(session, path("doDeploy")));
    await untilCalls(server, 5);
    const refused = await statusCall(session);
    expect([refused.status, refused.text]).toEqual([8, "Too many calls are under way; try again later."]);
    const ended = begun.map(answerOf);
    for (const stream of begun) stream.close(constants.NGHTTP2_CANCEL);
    await Promise.all(ended);
    session.destroy();
    await untilCalls(server, 0);
    await expectHealthy(server);
  });

  test("that do not take their answers lose them", async () => {
    const server = await start({ stallMs: 150 });
    const session = server.connect();
    await new Promise<void>((resolve) => session.settings({ initialWindowSize: 10 }, () => resolve()));
    const stream = beginCall(session, path("machineVerifiableDag"));
    stream.end(framed(new Uint8Array(0)));
    const reset = new Promise<number | undefined>((resolve) => stream.once("close", () => resolve(stream.rstCode)));
    stream.pause();
    expect(await reset).toBe(constants.NGHTTP2_CANCEL);
    session.destroy();
    await expectServes(server);
  });

  test("together hold no more requests than there is room for", async () => {
    const server = await start({ maxRequestBytes: 2_000_000 });
    const session = server.connect();
    const piece = framed(isFinalizedOf(900_000));
    const streams = Array.from({ length: 6 }, () => beginCall(session, path("isFinalized")));
    const answers = streams.map(answerOf);
    for (const stream of streams) stream.write(piece.subarray(0, -1));
    await until("two requests to be read", () => server.external.requestBytes > 1_000_000);
    expect(server.external.requestBytes).toBeLessThanOrEqual(2_000_000);
    for (const stream of streams) stream.end(piece.subarray(-1));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 0).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 0).length).toBeGreaterThan(0);
    session.destroy();
    await expectHealthy(server);
    expect(server.external.requestBytes).toBe(0);
  });

  test("beyond those allowed are closed", async () => {
    const server = await start({ maxConnections: 8, maxConnectionsPerAddress: 4 });
    const sessions = Array.from({ length: 20 }, () => server.connect());
    const open = () => sessions.filter(({ destroyed }) => !destroyed);
    await until("four to be left", () => open().length <= 4, { state: () => `${open().length} are` });
    // The oldest have given way.
    expect(open()).toEqual(sessions.slice(-4));
    expect(connectionsOf(server)).toBeLessThanOrEqual(4);
    for (const session of sessions) session.destroy();
    await untilNoConnection(server);
    await expectHealthy(server);
  });

  test("that are checked too often are sent away", async () => {
    const server = await start();
    const session = server.connect();
    const goaway = new Promise((resolve) =>
      session.once("goaway", (code, _last, text) => resolve([code, String(text)])),
    );
    await new Promise((resolve) => session.once("connect", resolve));
    for (let pings = 0; pings < 6 && !session.destroyed; pings += 1) {
      await new Promise<void>((resolve) => session.ping(() => resolve()));
    }
    expect(await goaway).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, "too_many_pings"]);
    session.destroy();
    await expectHealthy(server);
  });

  test("end when they idle, and when they are old", async () => {
    stopTime();
    const idle = await start({ maxIdleMs: 5_000 });
    const old = await start({ maxAgeMs: 5_000, ageGraceMs: 1_000 });
    for (const server of [idle, old]) {
      const session = server.connect();
      expect((await statusCall(session)).status).toBe(0);
      await passUntil("the connection to end", () => session.closed);
      await expectHealthy(server);
    }
  });

  test("that do not answer checks are closed", async () => {
    stopTime();
    const server = await start();
    const socket = connectSocket(server.ports.external, "127.0.0.1");
    socket.on("error", () => {});
    // A client's beginning, and silence from then on.
    socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), fromHex("000000040000000000")]));
    socket.resume();
    await until("the connection", () => connectionsOf(server) === 1);
    await passUntil("the connection to end", () => socket.closed);
    await expectHealthy(server);
  });
});

test("a server that stops ends the calls that are under way", async () => {
  const server = await start();
  const session = server.connect();
  const waiting = answerOf(beginCall(session, path("status")));
  await untilCalls(server, 1);
  await server[Symbol.asyncDispose]();
  expect((await waiting).status).not.toBe(0);
  session.destroy();
});

/** `IsFinalizedQuery` with a hash of this length. */
function isFinalizedOf(length: number): Uint8Array {
  return toBinary(IsFinalizedQuerySchema, create(IsFinalizedQuerySchema, { hash: "z".repeat(length) }));
}

/** A message as a field of another. */
function nested(message: Uint8Array, tag: number): Uint8Array<ArrayBuffer> {
  const length = [(message.length & 0x7f) | 0x80, ((message.length >> 7) & 0x7f) | 0x80, message.length >> 14];
  return Uint8Array.from([tag, ...length, ...message]);
}

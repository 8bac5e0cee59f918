import { type ClientHttp2Session, constants } from "node:http2";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BlockQuerySchema, BlockResponseSchema, DeployService } from "@vedette/api/grpc";
import { expect, test } from "vitest";
import { UnsentAnswers } from "../http/UnsentAnswers.js";
import { beginCall, framed, rawConnection, testLimits } from "../testing/grpcTest.js";
import { callRoom } from "./AnswerRooms.js";
import { GrpcServer } from "./GrpcServer.js";

/** The size of one answer: the windows of a stream take less. */
const answerBytes = 1 << 20;
const maxBytes = 4 << 20;
const question = framed(toBinary(BlockQuerySchema, create(BlockQuerySchema, {})));

/** @param roomBytes the room that an answer requests before it is made */
async function largeServer(roomBytes = 0) {
  const unsent = new UnsentAnswers(maxBytes);
  let asked = 0;
  const server = new GrpcServer({
    ...{ limits: testLimits, unsent, web: true, nowMs: () => performance.now() },
    routes: (router) =>
      void router.rpc(DeployService.method.getBlock, async (_, { values }) => {
        await values.get(callRoom)(roomBytes);
        asked += 1;
        const messages = ["x".repeat(answerBytes)];
        return create(BlockResponseSchema, { message: { case: "error", value: { messages } } });
      }),
  });
  const port = await server.listen(0, "127.0.0.1");
  const sessions: ClientHttp2Session[] = [];
  return {
    ...{ server, unsent, asked: () => asked },
    connect: (localAddress?: string) => {
      const session = rawConnection(port, localAddress);
      sessions.push(session);
      return session;
    },
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Sends a call and does not read its answer; the caller may read it later. */
function ask(session: ClientHttp2Session) {
  const stream = beginCall(session, "/casper.v1.DeployService/getBlock");
  stream.on("error", () => {});
  stream.end(question);
  return stream;
}

test.each([
  ["on one connection", 1],
  ["on a connection for each", 8],
])("calls with unread answers have a common bound, %s; others are answered whole", async (_, connections) => {
  await using node = await largeServer();
  const sessions = Array.from({ length: connections }, () => node.connect());
  let most = 0;
  for (let at = 0; at < 8; at += 1) {
    ask(sessions[at % connections]!).pause();
    await expect.poll(() => node.asked()).toBe(at + 1);
    most = Math.max(most, node.unsent.bytes);
  }
  expect(most).toBeLessThanOrEqual(maxBytes);
  // An answer is a little longer than its text.
  await expect.poll(() => node.server.calls).toBe(maxBytes / answerBytes - 1);
  const pieces: Buffer[] = [];
  for await (const piece of ask(node.connect())) pieces.push(piece as Buffer);
  const { message } = fromBinary(BlockResponseSchema, Buffer.concat(pieces).subarray(5));
  expect(message.case === "error" && message.value.messages[0]?.length).toBe(answerBytes);
});

test("nothing is counted when calls are over, answered or not", async () => {
  await using node = await largeServer();
  const session = node.connect();
  const left = ask(session);
  left.pause();
  await expect.poll(() => node.unsent.bytes).toBeGreaterThan(answerBytes);
  left.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => node.unsent.bytes).toBe(0);
  for await (const _ of ask(session));
  await expect.poll(() => node.unsent.bytes).toBe(0);
});

test("a large answer is not made before its connection has taken those before, or given them up", async () => {
  await using node = await largeServer(5 << 20);
  const session = node.connect();
  const first = ask(session);
  first.pause();
  await expect.poll(() => node.asked()).toBe(1);
  const second = ask(session);
  for await (const _ of ask(node.connect("127.0.0.2")));
  expect(node.asked()).toBe(2);
  first.close(constants.NGHTTP2_CANCEL);
  for await (const _ of second);
  expect(node.asked()).toBe(3);
});

test("nor before its client has, however many connections that has; other clients do not wait", async () => {
  await using node = await largeServer(5 << 20);
  const first = ask(node.connect());
  first.pause();
  await expect.poll(() => node.asked()).toBe(1);
  const second = ask(node.connect());
  for await (const _ of ask(node.connect("127.0.0.2")));
  expect(node.asked()).toBe(2);
  first.close(constants.NGHTTP2_CANCEL);
  for await (const _ of second);
  expect(node.asked()).toBe(3);
});

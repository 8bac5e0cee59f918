import { create, type DescMethod, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { DeployService, Health } from "@vedette/api/grpc";
import { readConfig } from "@vedette/config";
import type { QueryReaders } from "@vedette/executor/threads";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterEach, expect, test } from "vitest";
import { answerOf, framed, GrpcTest, type RawAnswer } from "../testing/grpcTest.js";
import { type GrpcLimits, grpcLimitsOf } from "./limits.js";

const deadlineExceeded = 4;
const started: GrpcTest[] = [];

/** A node with explorations that fail when they are aborted, and not before. */
async function start(limits: Partial<GrpcLimits> = {}): Promise<GrpcTest> {
  const readers: QueryReaders = {
    call: (_method, _argument, _timeoutMs, { signal } = {}) =>
      new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason))),
  };
  const node = TestQueries.over(readers);
  insertBlocks(node.chain);
  const server = await GrpcTest.start(node.queries(), limits);
  started.push(server);
  return server;
}

/** Makes a call with a deadline that the client itself does not watch. */
async function callWithin<M extends DescMethod>(
  server: GrpcTest,
  method: M,
  message: MessageInitShape<M["input"]>,
  deadline: { readonly "grpc-timeout"?: string } = { "grpc-timeout": "50m" },
): Promise<RawAnswer> {
  const session = server.connect();
  const stream = session.request({
    ":method": "POST",
    ":path": `/${method.parent.typeName}/${method.name}`,
    te: "trailers",
    "content-type": "application/grpc",
    ...deadline,
  });
  const answered = answerOf(stream);
  stream.end(framed(toBinary(method.input, create(method.input, message))));
  const answer = await answered;
  session.destroy();
  return answer;
}

afterEach(async () => {
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
});

test("a stream whose deadline passes ends with that status, after what it had", async () => {
  const { status, messages } = await callWithin(await start(), Health.method.watch, {});
  expect([status, messages.length]).toEqual([deadlineExceeded, 1]);
});

test("a single answer that comes after its deadline is not given", async () => {
  const { status, messages } = await callWithin(await start(), DeployService.method.exploratoryDeploy, { term: "Nil" });
  expect([status, messages.length]).toEqual([deadlineExceeded, 0]);
});

test("a call without a deadline of its client's ends at the server's", async () => {
  const server = await start({ callMs: 1 });
  const { status, messages } = await callWithin(server, DeployService.method.exploratoryDeploy, { term: "Nil" }, {});
  expect([status, messages.length]).toEqual([deadlineExceeded, 0]);
});

test("how long that is, and when the system looks after a connection, is configured under f1r3node's names", () => {
  const environment = {
    VEDETTE_API_SERVER_REQUEST_TIMEOUT: "7 seconds",
    VEDETTE_API_SERVER_TCP_KEEPALIVE_TIME: "9 seconds",
  };
  const { config } = readConfig({ home: "/", configFile: false, environment });
  expect(grpcLimitsOf(config)).toMatchObject({ callMs: 7_000, tcpKeepAliveMs: 9_000 });
});

import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerOf, beginCall, framed, GrpcTest, type RawAnswer } from "../testing/grpcTest.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
let server: GrpcTest;
beforeAll(async () => {
  server = await GrpcTest.start(node.queries());
});
afterAll(() => server[Symbol.asyncDispose]());

async function send(method: string, request: Uint8Array): Promise<RawAnswer> {
  const session = server.connect();
  const stream = beginCall(session, `/casper.v1.DeployService/${method}`);
  const answered = answerOf(stream);
  stream.end(framed(request));
  const answer = await answered;
  session.destroy();
  return answer;
}

const resourceExhausted = 8;

test("requests that have names are small, since each two bytes of one can be an object in memory", async () => {
  const empty = (bytes: number) => Buffer.from("1200".repeat(bytes / 2), "hex");
  for (const method of ["listenForContinuationAtName", "listenForDataAtName", "getDataAtName"])
    expect([method, (await send(method, empty(1_000_000))).status]).toEqual([method, resourceExhausted]);
  expect((await send("listenForContinuationAtName", empty(2_000))).status).toBe(0);
  expect((await send("status", new Uint8Array(0))).status).toBe(0);
});

test("unknown fields are ignored", async () => {
  const { status, messages } = await send("status", Buffer.from("f80700".repeat(60_000), "hex"));
  expect([status, messages.length]).toEqual([0, 1]);
});

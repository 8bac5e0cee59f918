import { constants } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { BlocksQuerySchema } from "@vedette/api/grpc";
import { insertLine, TestQueries } from "@vedette/queries/testing";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { beginCall, framed, GrpcTest } from "../testing/grpcTest.js";

test("a client that leaves a stream in the middle leaves no line in the log", async () => {
  const node = TestQueries.empty();
  insertLine(node.chain, 200);
  await using server = await GrpcTest.start(node.queries());
  const request = framed(toBinary(BlocksQuerySchema, create(BlocksQuerySchema, { depth: 50 })));
  const session = server.connect();
  for (let at = 0; at < 10; at += 1) {
    const stream = beginCall(session, "/casper.v1.DeployService/getBlocks");
    stream.on("error", () => undefined);
    stream.once("data", () => stream.close(constants.NGHTTP2_CANCEL));
    stream.end(request);
    await new Promise((resolve) => stream.once("close", resolve));
  }
  session.destroy();
  await until("the calls to be over", () => server.external.calls === 0);
  expect(server.failures).toEqual([]);
});

import { Code, ConnectError } from "@connectrpc/connect";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const here = `2;hash="${hashes.top}";finalized=0`;
let server: GrpcTest;

beforeAll(async () => {
  server = await GrpcTest.start(node.queries());
});
afterAll(() => server[Symbol.asyncDispose]());

describe("a call", () => {
  const headers = (height: string) => ({ "vedette-min-block": height });

  test("has a header that names the block of its answer, lists too", async () => {
    for (const port of ["external", "internal"] as const) {
      let header: string | null = null;
      const onHeader = (metadata: Headers) => (header = metadata.get("vedette-block"));
      await server.deploys(port).lastFinalizedBlock({}, { onHeader, headers: headers("2") });
      expect(header).toBe(here);
      header = null;
      for await (const _one of server.deploys(port).getBlocks({ depth: 1 }, { onHeader }));
      expect(header).toBe(here);
    }
  });

  test("is unavailable where the node is not so far, and wrong where it gives no height", async () => {
    const failed = async (height: string) =>
      ConnectError.from(
        await server
          .deploys()
          .status({}, { headers: headers(height) })
          .catch((error: unknown) => error),
      );
    const behind = await failed("3");
    expect([behind.code, behind.rawMessage]).toEqual([
      Code.Unavailable,
      "This node is at block #2, and not at #3; repeat the request, or use another one.",
    ]);
    expect(["retry-after", "vedette-block"].map((name) => behind.metadata.get(name))).toEqual(["1", here]);
    expect((await failed("latest")).code).toBe(Code.InvalidArgument);
  });
});

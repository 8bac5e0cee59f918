import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { DeployService, Health, ProposeService } from "@vedette/api/grpc";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GrpcTest, testLimits as grpcLimits } from "../testing/grpcTest.js";
import { externalGrpcServer } from "./grpcServers.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
let server: GrpcTest;
let base: string;
beforeAll(async () => {
  server = await GrpcTest.start(node.queries());
  base = `http://127.0.0.1:${server.ports.external}`;
});
afterAll(() => server[Symbol.asyncDispose]());

const origin = "https://explorer.example";
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Record<string, string> = {},
) => fetch(base + path, { method: "POST", body, headers: { "content-type": type, origin, ...headers } });

for (const httpVersion of ["1.1", "2"] as const) {
  for (const [name, createTransport] of Object.entries({ createConnectTransport, createGrpcWebTransport })) {
    for (const useBinaryFormat of [true, false]) {
      test(`${name} over HTTP/${httpVersion}, ${useBinaryFormat ? "binary" : "JSON"}`, async () => {
        const client = createClient(DeployService, createTransport({ baseUrl: base, httpVersion, useBinaryFormat }));
        expect((await client.status({})).message.case).toBe("status");
        const heights: bigint[] = [];
        for await (const { message } of client.getBlocks({ depth: 3 }))
          if (message.case === "blockInfo") heights.push(message.value.blockNumber);
        expect(heights.length).toBeGreaterThan(0);
      });
    }
  }
}

test("a page asks first whether it may, and may", async () => {
  const response = await fetch(`${base}/casper.v1.DeployService/status`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-grpc-web,x-user-agent,grpc-timeout",
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-methods")).toBe("POST,GET");
  const allowed = response.headers.get("access-control-allow-headers")!.toLowerCase().split(",");
  expect(allowed).toEqual(
    expect.arrayContaining(["content-type", "x-grpc-web", "grpc-timeout", "connect-protocol-version"]),
  );
});

test("an answer may be read by the page, and its status, too", async () => {
  const response = await post("/casper.v1.DeployService/status", "{}", "application/json");
  expect(response.status).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-expose-headers")).toMatch(/grpc-status/i);
  expect(await response.json()).toMatchObject({ status: { networkId: "vedette-solo", minPhloPrice: "1" } });
});

test("what cannot be served is refused with a word", async () => {
  const grpc = await post("/casper.v1.DeployService/status", new Uint8Array(5), "application/grpc+proto");
  expect([grpc.status, await grpc.text()]).toEqual([
    415,
    "gRPC needs HTTP/2; over HTTP/1.1 there are gRPC-web and Connect.",
  ]);
  const unknown = await post("/casper.v1.DeployService/nothing", "{}", "application/json");
  expect([unknown.status, await unknown.text()]).toEqual([404, "Method not found: casper.v1.DeployService/nothing"]);
  expect((await fetch(`${base}/`)).status).toBe(404);
  expect((await fetch(`${base}/casper.v1.DeployService/status`)).status).toBe(405);
  expect((await post("/casper.v1.DeployService/status", "<x/>", "application/xml")).status).toBe(415);
  const garbage = await post("/casper.v1.DeployService/getBlock", "{", "application/json");
  expect([garbage.status, ((await garbage.json()) as { code: string }).code]).toEqual([400, "invalid_argument"]);
  const cut = await post("/casper.v1.DeployService/getBlock", Uint8Array.of(0x0a, 0x20, 1), "application/proto");
  expect([cut.status, await cut.json()]).toEqual([
    400,
    { code: "invalid_argument", message: expect.stringContaining("parse binary") },
  ]);
  const nested = (depth: number) =>
    post("/casper.v1.DeployService/getDataAtName", '{"par":{"sends":['.repeat(depth), "application/json");
  expect((await nested(3_000)).status).toBe(400);
  // Larger than a request with names may be (50 §1.12).
  expect((await nested(20_000)).status).toBe(429);
  const stream = await post(
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "",
    "application/connect+json",
  );
  expect(stream.status).toBe(505);
});

test("the public port reaches no method of the operator, in no protocol", async () => {
  const internal = ["casper.v1.ProposeService/propose", "repl.Repl/Run", "repl.Repl/Eval", "lsp.Lsp/Validate"];
  for (const path of internal) {
    for (const type of ["application/json", "application/proto", "application/grpc-web+proto"])
      expect((await post(`/${path}`, type === "application/json" ? "{}" : new Uint8Array(5), type)).status).toBe(404);
    for (const trick of [`//${path}`, `/./${path}`, `/casper.v1.DeployService/../${path}`, `/${path}/`, `/%2F${path}`])
      expect((await post(trick, "{}", "application/json")).status).toBe(404);
  }
  const proposals = createClient(ProposeService, createGrpcTransport({ baseUrl: base }));
  await expect(proposals.propose({})).rejects.toThrow("Method not found: casper.v1.ProposeService/propose");
});

test("names that its operator has listed are answered, and no others; pages reach no port of the operator", async () => {
  const options = { queries: node.queries(), limits: grpcLimits, onFailure: () => {}, nowMs: () => performance.now() };
  await using named = externalGrpcServer({ ...options, hosts: ["node.example"] });
  const port = await named.listen(0, "127.0.0.1");
  const path = "/casper.v1.DeployService/status";
  const headers = { "content-type": "application/json" };
  const statusUnder = async (host: string) => {
    const asked = request({ host: "127.0.0.1", port, path, method: "POST", headers: { ...headers, host } }).end("{}");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await Promise.all(["node.example", "localhost:1", "a.example", "ai"].map(statusUnder))).toEqual([
    200, 200, 403, 403,
  ]);
  const session = server.connect("internal");
  const call = session.request({
    ...{ ":path": "/casper.v1.ProposeService/propose", ":method": "POST", "content-type": "application/grpc" },
    origin,
  });
  const [response] = (await once(call.end(new Uint8Array(5)), "response")) as [Record<string, string>];
  expect(response["grpc-status"]).toBe("7");
  session.destroy();
});

test("the operator's port speaks gRPC alone", async () => {
  const internal = `http://127.0.0.1:${server.ports.internal}`;
  await expect(fetch(`${internal}/casper.v1.ProposeService/propose`, { method: "POST" })).rejects.toThrow();
  const health = createClient(Health, createConnectTransport({ baseUrl: internal, httpVersion: "2" }));
  await expect(health.check({})).rejects.toThrow();
});

import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Health } from "@vedette/api/grpc";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { insertLine, TestQueries } from "@vedette/queries/testing";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { ServerSentClient, WebSocketClient } from "./testing/EventsClient.js";
import { EventsNode } from "./testing/EventsNode.js";
import { GrpcTest } from "./testing/grpcTest.js";

/** Counts requests that have begun and not ended, as the node does that holds no block meanwhile. */
class OpenRequests {
  begun = 0;
  open = 0;
  readonly begin = (begin: () => void): (() => void) => {
    this.begun += 1;
    this.open += 1;
    begin();
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.open -= 1;
      hasEnded = true;
    };
  };

  /** Waits until this number has begun and all have ended. */
  async allEnded(begun: number): Promise<void> {
    await until("all requests to have ended", () => this.begun === begun && this.open === 0, {
      state: () => `${this.begun} have begun, ${this.open} are open`,
    });
  }
}

test("each HTTP request ends for the chain: answered, refused, left, or a stream of events", async () => {
  const requests = new OpenRequests();
  const limits = { slots: { inAll: 2, perAddress: 2, limitsOwnMachine: true } };
  const register: NonNullable<Parameters<typeof EventsNode.start>[0]>["register"] = (server) => {
    server.get("/slow", ({ raw }) => once(raw.socket, "close"));
    server.get("/health/live", async () => "ok");
  };
  await using node = await EventsNode.start({ server: { begin: requests.begin }, limits, register });
  await node.take([new FakeEventChain().genesis]);
  const url = `http://127.0.0.1:${node.port}`;
  await fetch(`${url}/health/live`);
  expect(requests.begun).toBe(0);
  await fetch(`${url}/v2/events`, { method: "HEAD" });
  await fetch(`${url}/nowhere`);
  await requests.allEnded(2);
  const left = httpRequest(`${url}/slow`).end();
  left.on("error", () => undefined);
  await until("the request to be open", () => requests.open === 1);
  left.destroy();
  await requests.allEnded(3);
  await using _sent = await ServerSentClient.connect(node.port, "/v2/events");
  await using _socket = await WebSocketClient.connect(node.port, "/v2/events");
  await requests.allEnded(5);
  await expect(WebSocketClient.connect(node.port, "/v2/events")).rejects.toThrow("429");
  await requests.allEnded(6);
});

test("each gRPC call ends for the chain, also a stream that its client leaves; health waits for nothing", async () => {
  const requests = new OpenRequests();
  const queries = TestQueries.empty();
  insertLine(queries.chain, 200);
  await using server = await GrpcTest.start(queries.queries(), {}, { begin: requests.begin });
  const client = server.deploys();
  const health = createClient(Health, createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.ports.external}` }));
  await health.check({});
  expect(requests.begun).toBe(0);
  await client.status({});
  await requests.allEnded(1);
  const blocks: unknown[] = [];
  for await (const block of client.getBlocks({ depth: 5 })) blocks.push(block);
  await requests.allEnded(2);
  const leaving = new AbortController();
  const stream = client.getBlocks({ depth: 50 }, { signal: leaving.signal })[Symbol.asyncIterator]();
  await stream.next();
  leaving.abort();
  await stream.next().catch(() => undefined);
  await requests.allEnded(3);
  expect(blocks.length).toBeGreaterThan(1);
});

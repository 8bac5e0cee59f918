import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { EventsNode } from "../testing/EventsNode.js";
import { defaultHttpLimits } from "./HttpLimits.js";
import type { RequestCounter } from "./RequestBudget.js";

/** A budget that is counted elsewhere, and answers when the test lets it. */
class LateBudget implements RequestCounter {
  readonly waiting: (() => void)[] = [];

  take(): Promise<number> {
    return new Promise((resolve) => this.waiting.push(() => resolve(0)));
  }
}

test("a client that leaves while its request is counted elsewhere takes no place of event subscribers", async () => {
  const budget = new LateBudget();
  await using node = await EventsNode.start({
    server: { budget, limits: { ...defaultHttpLimits, limitsOwnMachine: true } },
  });
  await node.take([new FakeEventChain().genesis]);
  let hasLeft = false;
  node.server.server.once("connection", (socket) => socket.once("close", () => (hasLeft = true)));
  const client = connect(node.port, "127.0.0.1");
  client.on("error", () => {});
  client.write("GET /v2/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await until("the request to be counted", () => budget.waiting.length === 1);
  client.destroy();
  await until("the server to see that the client has left", () => hasLeft);
  await setImmediate();
  budget.waiting[0]?.();
  // The next client's request is served after the one that is too late.
  const stays = connect(node.port, "127.0.0.1");
  stays.write("GET /v2/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await until("the next request to be counted", () => budget.waiting.length === 2);
  budget.waiting[1]?.();
  await until("the next client to follow events", () => stays.bytesRead > 0);
  expect(node.events.connections).toBe(1);
  stays.destroy();
  await until("the last subscriber to leave", () => node.events.connections === 0);
});

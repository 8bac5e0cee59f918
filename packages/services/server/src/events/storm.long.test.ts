// Covers: queries/events, server
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { until } from "@vedette/testing";
import { test } from "vitest";
import { WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";
import { storm } from "../testing/eventStorm.js";

test("ten storms of connections of all kinds leave the node answering, and nothing behind", async () => {
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await node.take([made.genesis]);
  await using honest = await WebSocketClient.connect(node.port, "/v2/events");
  for (let round = 0; round < 10; round += 1) await storm(node.port, 200);
  await node.take(made.grow(3));
  await honest.until((messages) => messages.length === 1 + 12);
  await honest[Symbol.asyncDispose]();
  const state = () => `${node.events.connections} are left`;
  await until("all connections to end", () => node.events.connections === 0, { state });
});

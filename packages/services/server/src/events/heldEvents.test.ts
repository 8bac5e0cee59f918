import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { BatchingStore, MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { ServerSentClient, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

const path = "/v2/events";

test("readers receive nothing that is not on disk yet", async () => {
  const made = new FakeEventChain();
  const store = new BatchingStore(new MemoryStore(tablesOf("chain")), { isHolding: false });
  const waiting: (() => void)[] = [];
  const held = {
    get isHolding() {
      return store.isHolding;
    },
    whenOnDisk: (work: () => void) => void waiting.push(work),
  };
  await using node = await EventsNode.start({ store, held });
  await node.take([made.genesis]);
  await using first = await WebSocketClient.connect(node.port, `${path}?kind=blockAdded`);
  await node.take(made.grow(2));
  await first.until((messages) => messages.length === 3);
  store.hold();
  await node.take(made.grow(2));
  store.flush();
  for (const work of waiting.splice(0)) work();
  // Later blocks are held again when the readers' turn comes.
  await node.take(made.grow(3));
  const numbers = () => first.messages.slice(1).map(({ blockNumber }) => blockNumber);
  await first.until((messages) => messages.length >= 5);
  await using second = await ServerSentClient.connect(node.port, `${path}?kind=blockAdded&after=oldest`);
  await second.until((messages) => messages.length >= 5);
  expect([numbers(), second.messages.length]).toEqual([[1, 2, 3, 4], 5]);
  store.flush();
  for (const work of waiting.splice(0)) work();
  await first.until((messages) => messages.length === 8);
  await second.until((messages) => messages.length === 8);
  expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

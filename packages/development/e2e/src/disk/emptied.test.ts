import { AccountIndex, BlockQueries } from "@vedette/queries";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { EventsNode } from "@vedette/server/testing";
import { expect, test } from "vitest";
import { completeIndex } from "./completeIndex.js";
import { readersWithoutTransfers as readers } from "./IndexedNode.js";

const blocks = 20;

test("a history with an interrupted emptying is made anew, with all of its rows", async () => {
  await using node = await EventsNode.start();
  const { chain, store } = node;
  const made = new FakeEventChain();
  made.grow(blocks);
  await node.take(made.blocks);
  const complete = () => completeIndex({ store, chain, blocks: new BlockQueries(chain, 50), readers });
  const rows = () => store.table("historyOfAddress").count();
  await complete();
  expect(rows()).toBe(blocks);
  for (let transactions = 1, isMore = true; isMore; transactions += 1) {
    const index = new AccountIndex(store, 6);
    for (let done = 0; done < transactions; done += 1) isMore = index.clearSome();
    expect(index.isBeingEmptied).toBe(isMore);
    await complete();
    expect({ transactions, rows: rows(), blocks: index.size }).toEqual({
      transactions,
      rows: blocks,
      blocks: blocks + 1,
    });
  }
});

import { addressOfKey, transferTerm } from "@vedette/client";
import { loadForms, StateReader } from "@vedette/executor";
import { transferPortOf } from "@vedette/queries/events";
import { EventsNode, WebSocketClient } from "@vedette/server/testing";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { accountGenesis } from "../testing/AccountNode.js";
import { SoloValidator, testKey, userDeploy } from "../testing/SoloValidator.js";

const addressOf = (user: string): string => addressOfKey({ algorithm: "secp256k1", ...testKey(user) });

test("transfers of executed blocks are sent, with what became of them", async () => {
  const genesis = await accountGenesis();
  const states = new MemoryStore(tablesOf("state"));
  const validator = await SoloValidator.begin("v1", genesis, { stateStore: states, nowMs: Date.now });
  const signals = { isCancelled: () => false, nowMs: () => performance.now() };
  const reader = new StateReader(states, signals, { forms: await loadForms("rnode") });
  const transfers = transferPortOf({ call: async (method, argument) => reader[method](argument as never) as never });
  await using node = await EventsNode.start({ transfers });
  const [from, to] = [addressOf("u1"), addressOf("u2")];
  await validator.proposing.submit(userDeploy("u1", transferTerm(from, to, 1_000n, "rnode")));
  await validator.proposing.submit(userDeploy("u2", transferTerm(to, from, 2n ** 62n, "rnode")));
  await validator.proposing.submit(userDeploy("u3", "Nil"));
  const block = await validator.make();
  await node.take([genesis, block]);
  await using client = await WebSocketClient.connect(node.port, "/v2/events?after=oldest&kind=transfer");
  const received = await client.until((messages) => messages.length === 3);
  expect(received.slice(1)).toMatchObject([
    { kind: "transfer", from, to, amount: "1000", isSuccessful: true, failReason: null, blockNumber: 1 },
    { kind: "transfer", from: to, to: from, isSuccessful: false, failReason: "Insufficient funds", blockNumber: 1 },
  ]);
  await using others = await WebSocketClient.connect(
    node.port,
    `/v2/events?after=oldest&address=${addressOf("u3")}&kind=transfer&kind=blockFinalized`,
  );
  expect((await others.until((messages) => messages.length === 2))[1]).toMatchObject({ kind: "blockFinalized" });
});

import { transferTerm } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { type Block, type Deploy, rejectedIdsOf } from "@vedette/protocol";
import { eventsOfEntry } from "@vedette/queries/events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AccountNode, accountGenesis, addressOf, wealth } from "../testing/AccountNode.js";
import { userDeploy } from "../testing/SoloValidator.js";

describe("two blocks side by side that one block merges", () => {
  const node = new AccountNode();
  const other = new AccountNode();
  const most = wealth / 2n + 1n;
  let ours: Deploy;
  let theirs: Deploy;
  let kept: Deploy;
  let first: Block;
  let aside: Block;
  let merging: Block;

  beforeAll(async () => {
    const genesis = await accountGenesis();
    const rules = { maximumParents: 10 };
    await node.begin("v1", genesis, rules);
    await other.begin("v2", genesis, rules);
    node.run();
    // The same money spent twice, and a transfer without a conflict.
    ours = userDeploy("u1", transferTerm(addressOf("u1"), addressOf("u2"), most, "rnode"));
    theirs = userDeploy("u1", `${transferTerm(addressOf("u1"), addressOf("u3"), most, "rnode")} | Nil`);
    kept = userDeploy("u2", transferTerm(addressOf("u2"), addressOf("u3"), 7n, "rnode"));
    expect(await node.validator.proposing.submit(ours)).toBeUndefined();
    for (const deploy of [theirs, kept]) expect(await other.validator.proposing.submit(deploy)).toBeUndefined();
    first = await node.make();
    aside = await other.make();
    await node.take(aside);
    await node.validator.proposing.submit(userDeploy("u3", "Nil"));
    merging = await node.make();
    await node.complete();
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const answerOf = async (deploy: Deploy) => (await node.ask(`/v2/deploy/${toHex(deploy.signature)}`)).answer;
  test("of deploys that spend the same money the one that comes second is rejected", async () => {
    expect(merging.parents).toHaveLength(2);
    expect(rejectedIdsOf(merging.body).map(toHex)).toEqual([toHex(theirs.signature)]);
    expect(node.validator.chain.dag.require(aside.hash).finalized).toBe(true);
    expect(await answerOf(ours)).toMatchObject({ status: "finalized", blocks: [{ rejectedBy: null }] });
    expect(await answerOf(kept)).toMatchObject({ status: "finalized", blocks: [{ rejectedBy: null }] });
    const rejected = await answerOf(theirs);
    expect(rejected).toMatchObject({
      status: "rejected",
      blocks: [{ rejectedBy: toHex(merging.hash), errored: false, block: { blockHash: toHex(aside.hash) } }],
    });
    expect(rejected.blocks[0].block.status).toBe("finalized");
  });

  test("clients of f1r3node receive the rejection in its words", async () => {
    const asked = async (deploy: Deploy, prefix = "") =>
      (await node.ask(`/api/deploy-finalization-status/${prefix}${toHex(deploy.signature)}`)).answer;
    const [inFirst, inAside] = [toHex(first.hash), toHex(aside.hash)];
    expect(await asked(ours)).toEqual({ state: "Finalized", rejection_count: 0, latest_block_hash: inFirst });
    expect(await asked(kept, "0x")).toEqual({ state: "Finalized", rejection_count: 0, latest_block_hash: inAside });
    // A later merge may still decide anew.
    const given = { state: "Pending", rejection_count: 1, latest_block_hash: toHex(merging.hash) };
    expect(await asked(theirs)).toEqual(given);
  });

  test("transfers and costs that were not rejected are the whole difference of the balances", async () => {
    const users = ["u1", "u2", "u3"].map(addressOf);
    const { answer } = await node.ask("/v2/balances", { addresses: users });
    for (const [index, address] of users.entries()) {
      let expected = wealth;
      const { transfers } = (await node.ask(`/v2/transfers?address=${address}`)).answer;
      for (const { kind, from, amount, isSuccessful, failReason, rejectedBy } of transfers) {
        expect(isSuccessful).toBe(rejectedBy === null);
        if (rejectedBy !== null) expect(failReason).toBe("A merge gave the deploy up.");
        if (kind === "deploy" && isSuccessful) expected += from === address ? -BigInt(amount) : BigInt(amount);
      }
      const { deploys } = (await node.ask(`/v2/deploys?address=${address}`)).answer;
      for (const { cost, rejectedBy } of deploys) if (rejectedBy === null) expected -= BigInt(cost);
      expect(answer.balances[index].balance, address).toBe(String(expected));
    }
  });

  test("each block's deploys are reported once, as final or as rejected", () => {
    const { log } = node;
    const events: string[] = [];
    for (let number = log.oldest(); number <= log.newest(); number += 1) {
      const entry = log.read(number)!;
      const block = node.validator.chain.blocks.find(entry.hash)!;
      for (const event of eventsOfEntry({ cursor: log.cursorOf(number), entry }, block)) {
        const { kind, deployId, blockHash, rejectedBy } = JSON.parse(event.message.toString());
        if (kind === "deployFinalized") events.push(`${deployId} ${blockHash}`);
        if (kind === "deployRejected") events.push(`${deployId} ${blockHash} ${rejectedBy}`);
      }
    }
    expect(events).toEqual([
      `${toHex(ours.signature)} ${toHex(first.hash)}`,
      `${toHex(theirs.signature)} ${toHex(aside.hash)} ${toHex(merging.hash)}`,
      `${toHex(kept.signature)} ${toHex(aside.hash)}`,
      `${toHex(merging.body.deploys[0]!.deploy.signature)} ${toHex(merging.hash)}`,
    ]);
  });
});

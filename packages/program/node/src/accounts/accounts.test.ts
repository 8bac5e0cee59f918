import { transferTerm } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AccountNode, type Answer, accountGenesis, addressOf, wealth } from "../testing/AccountNode.js";
import { userDeploy } from "../testing/SoloValidator.js";

describe("accounts of a chain that grows", () => {
  const node = new AccountNode();
  const other = new AccountNode();
  let transfer: Deploy;
  let failing: Deploy;
  let forked: Deploy;

  beforeAll(async () => {
    const genesis = await accountGenesis();
    await node.begin("v1", genesis);
    await other.begin("v2", genesis);
    node.run();
    transfer = userDeploy("u1", transferTerm(addressOf("u1"), addressOf("u2"), 1_000n, "rnode"));
    failing = userDeploy("u2", `${transferTerm(addressOf("u2"), addressOf("u1"), 5n, "rnode")} | @1!(1 + "a")`);
    forked = userDeploy("u2", transferTerm(addressOf("u2"), addressOf("u1"), 77n, "rnode"));
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const statusOf = async (deploy: Deploy) => (await node.ask(`/v2/deploy/${toHex(deploy.signature)}`)).answer.status;

  test("a deploy waits, is included, and then done, or failed, or left aside", async () => {
    expect(await node.validator.proposing.submit(transfer)).toBeUndefined();
    expect(await statusOf(transfer)).toBe("pending");
    const waiting = (await node.ask(`/v2/deploy/${toHex(transfer.signature)}`)).answer;
    expect(waiting).toMatchObject({ summary: [{ type: "transfer", outcome: "asked" }], effects: { transfers: null } });
    expect(await node.validator.proposing.submit(failing)).toBeUndefined();
    expect(await other.validator.proposing.submit(forked)).toBeUndefined();
    const aside = await other.make();
    // Its maker has so little at stake that nothing is decided by it.
    const seenByMaker = await other.ask(`/v2/deploy/${toHex(forked.signature)}`);
    expect(seenByMaker.answer).toMatchObject({ status: "included", blocks: [{ block: { status: "pending" } }] });
    const first = await node.make();
    expect(first.body.deploys.map(({ failed }) => failed)).toEqual([false, true]);
    await node.take(aside);
    const { dag } = node.validator.chain;
    expect(dag.lastFinalized()!.number).toBeGreaterThanOrEqual(1n);
    expect([await statusOf(transfer), await statusOf(failing), await statusOf(forked)]).toEqual([
      "finalized",
      "failed",
      "forkedAway",
    ]);
    await node.complete();
    const { answer } = await node.ask(`/v2/deploy/${toHex(failing.signature)}`);
    expect(answer.deploy).toMatchObject({ term: failing.term, address: addressOf("u2"), shardId: "root" });
    expect(answer.blocks).toHaveLength(1);
    expect(answer.blocks[0]).toMatchObject({
      errored: true,
      systemDeployError: "",
      block: { blockHash: toHex(first.hash), blockNumber: 1, status: "finalized" },
    });
  });

  test("an answer contains what a deploy did, and what it moved", async () => {
    const factsOf = async (deploy: Deploy) => {
      const { summary, effects } = (await node.ask(`/v2/deploy/${toHex(deploy.signature)}`)).answer;
      return { summary, transfers: effects.transfers };
    };
    const paid = { from: addressOf("u1"), to: addressOf("u2"), amount: "1000" };
    const kept = { from: addressOf("u2"), to: addressOf("u1") };
    expect(await factsOf(transfer)).toEqual({
      summary: [{ type: "transfer", ...paid, outcome: "done", reason: null }],
      transfers: [{ ...paid, isSuccessful: true, failReason: null }],
    });
    const failed = await factsOf(failing);
    expect(failed.summary).toMatchObject([
      { type: "failed", reason: "Error: Operator `+` is not defined on String." },
      { type: "call", channel: "@1", outcome: "undone" },
      { type: "transfer", ...kept, amount: "5", outcome: "undone" },
    ]);
    const reason = "The block will never be final.";
    expect(await factsOf(forked)).toEqual({
      summary: [{ type: "transfer", ...kept, amount: "77", outcome: "undone", reason }],
      transfers: [{ ...kept, amount: "77", isSuccessful: false, failReason: reason }],
    });
  });

  test("states of many blocks and deploys are returned at once", async () => {
    const { answer } = await node.ask("/v2/block-statuses?from=0&to=1");
    expect(answer.blocks.map(({ status }: Answer) => status).sort()).toEqual(["finalized", "finalized", "forkedAway"]);
    const { blockHash } = answer.blocks[1];
    expect((await node.ask(`/v2/block-statuses?hash=${blockHash.slice(0, 12)}`)).answer.blocks).toEqual([
      answer.blocks[1],
    ]);
    expect((await node.ask(`/v2/block-statuses?hash=${"0".repeat(64)}`)).answer.blocks).toEqual([]);
    for (const wrong of ["", "?from=1", "?hash=12345", "?hash=zzzzzz", `?hash=${blockHash}&from=1`])
      expect([wrong, (await node.ask(`/v2/block-statuses${wrong}`)).status]).toEqual([wrong, 400]);
    const deployIds = [transfer, failing, forked].map(({ signature }) => toHex(signature));
    const { answer: statuses } = await node.ask("/v2/deploy-statuses", { deployIds: [...deployIds, "ab".repeat(70)] });
    expect(statuses).toEqual({ statuses: ["finalized", "failed", "forkedAway", null] });
    expect((await node.ask("/v2/deploy-statuses", { deployIds: ["xyz"] })).status).toBe(400);
    expect((await node.ask("/v2/block-statuses?from=-1&to=1")).status).toBe(400);
  });

  test("lists contain what each deploy did, on request", async () => {
    const deployIds = [transfer, failing, forked].map(({ signature }) => toHex(signature));
    const body = { deployIds: [...deployIds, "ab".repeat(70)], summaries: true };
    const { statuses, summaries, timestamps } = (await node.ask("/v2/deploy-statuses", body)).answer;
    expect(statuses).toEqual(["finalized", "failed", "forkedAway", null]);
    expect(summaries).toMatchObject([
      [{ type: "transfer", amount: "1000", outcome: "done" }],
      [{ type: "failed", reason: null }, { type: "call" }, { type: "transfer", amount: "5", outcome: "undone" }],
      [{ type: "transfer", amount: "77", outcome: "undone", reason: "The block will never be final." }],
      null,
    ]);
    expect(timestamps).toEqual([...[transfer, failing, forked].map(({ timestamp }) => Number(timestamp)), null]);
    const page = `/v2/deploys?address=${addressOf("u1")}`;
    const deploys = (await node.ask(`${page}&summaries=true`)).answer.deploys;
    expect(deploys.map(({ summary }: Answer) => summary)).toEqual([summaries[0]]);
    expect((await node.ask(page)).answer.deploys[0]).not.toHaveProperty("summary");
  });

  test("clients of f1r3node receive the finality of a deploy in its words", async () => {
    const asked = async (signature: string) => await node.ask(`/api/deploy-finalization-status/${signature}`);
    const found = async (deploy: Deploy) => (await asked(toHex(deploy.signature))).answer;
    const { blocks } = (await node.ask(`/v2/deploy/${toHex(transfer.signature)}`)).answer;
    const { blockHash } = blocks[0].block;
    expect(await found(transfer)).toEqual({ state: "Finalized", rejection_count: 0, latest_block_hash: blockHash });
    expect(await found(failing)).toEqual({ state: "Failed", rejection_count: 0, latest_block_hash: blockHash });
    const { blocks: lost } = (await node.ask(`/v2/deploy/${toHex(forked.signature)}`)).answer;
    const nowhere = { state: "Pending", rejection_count: 0, latest_block_hash: null };
    expect(await found(forked)).toEqual({ ...nowhere, latest_block_hash: lost[0].block.blockHash });
    expect((await asked("ab".repeat(70))).answer).toEqual(nowhere);
    for (const wrong of ["xyz", "0x", "0xzz", "%20", "ab".repeat(70).slice(1).concat("g")])
      expect(await asked(wrong)).toMatchObject({ status: 400, answer: { error: "invalid_hash" } });
  });

  test("an estimate is what a deploy then costs", async () => {
    const estimated = async (body: unknown, block = "") => await node.ask(`/api/estimate-cost${block}`, body);
    const { blocks } = (await node.ask(`/v2/deploy/${toHex(transfer.signature)}`)).answer;
    const before = toHex(node.validator.chain.dag.approvedBlock()!.hash);
    const deployer = toHex(transfer.deployer);
    const { status, answer } = await estimated({ term: transfer.term, deployer }, `?block_hash=${before}`);
    expect([status, answer]).toEqual([
      200,
      { cost: Number(blocks[0].cost), blockNumber: 0, blockHash: before, deployerIdentity: "provided" },
    ]);
    const stranger = (await estimated({ term: transfer.term })).answer;
    expect(stranger).toMatchObject({ blockNumber: 1, deployerIdentity: "ephemeral" });
    expect(stranger.cost).toBeLessThan(answer.cost);
    const withoutDeployer = (await estimated({ term: "Nil", deployer: null })).answer;
    expect(withoutDeployer).toEqual((await estimated({ term: "Nil" })).answer);
  });

  test.each([
    [400, "rholang_bad_term", { term: "new x in {" }],
    [400, "rholang_bad_term", { term: "x!(1)" }],
    [422, "rholang_execution_error", { term: '@1!(1 + "a")' }],
    [422, "user_abort", { term: "new a(`rho:execution:abort`) in { a!(1) }" }],
    [400, "illegal_argument", { term: "Nil", deployer: "04ab" }],
    [400, "illegal_argument", { term: "Nil", deployer: "" }],
    [400, "invalid_request_body", { term: 1 }],
    [400, "invalid_request_body", {}],
    [400, "invalid_request_body", "\ud800"],
    [400, "invalid_hash", { term: "Nil" }, "?block_hash="],
    [400, "invalid_hash", { term: "Nil" }, `?block_hash=${"ab".repeat(2_000)}`],
    [404, "block_not_found", { term: "Nil" }, `?block_hash=${"ab".repeat(32)}`],
  ])("%i %s is what an estimate of %j is refused with", async (status, error, body, query = "") => {
    const refused = await node.ask(`/api/estimate-cost${query}`, body);
    expect(refused).toMatchObject({ status, answer: { error, message: expect.stringMatching(/\S/) } });
    expect(Object.keys(refused.answer)).toEqual(["error", "message"]);
  });

  test("transfers are listed for both sides, failed ones too, and those of other forks on request", async () => {
    const { answer } = await node.ask(`/v2/transfers?address=${addressOf("u2")}`);
    const transfers = answer.transfers.filter(({ kind }: Answer) => kind === "deploy");
    expect(transfers.map(({ from, to, amount, isSuccessful }: Answer) => [from, to, amount, isSuccessful])).toEqual([
      [addressOf("u2"), addressOf("u1"), "5", false],
      [addressOf("u1"), addressOf("u2"), "1000", true],
    ]);
    expect(transfers[0].failReason).toBe("The deploy failed afterwards.");
    expect(transfers[1]).toMatchObject({
      deployId: toHex(transfer.signature),
      deployer: toHex(transfer.deployer),
      block: { blockNumber: 1, status: "finalized" },
    });
    const { answer: all } = await node.ask(`/v2/transfers?address=${addressOf("u2")}&forks=true`);
    const [aside] = all.transfers.filter(({ block }: Answer) => block.status === "forkedAway");
    expect(aside).toMatchObject({ amount: "77", isSuccessful: true });
    expect(all.index).toMatchObject({ isComplete: true, blocksSince: 0, transfersSince: 0 });
  });

  test("deploys are listed by key and by address, page by page", async () => {
    const whole = (await node.ask(`/v2/deploys?address=${addressOf("u2")}&forks=true`)).answer;
    expect(whole.deploys.map(({ deployId }: Answer) => deployId).sort()).toEqual(
      [toHex(failing.signature), toHex(forked.signature)].sort(),
    );
    expect((await node.ask(`/v2/deploys?deployer=${toHex(forked.deployer)}&forks=true`)).answer).toEqual(whole);
    const first = (await node.ask(`/v2/deploys?address=${addressOf("u2")}&forks=true&limit=1`)).answer;
    const second = (await node.ask(`/v2/deploys?address=${addressOf("u2")}&forks=true&limit=1&after=${first.next}`))
      .answer;
    expect([...first.deploys, ...second.deploys]).toEqual(whole.deploys);
    expect(second.next).toBeNull();
  });

  test("balances are what is left", async () => {
    const { answer } = await node.ask("/v2/balances", { addresses: [addressOf("u1"), addressOf("unused")] });
    const { blocks } = (await node.ask(`/v2/deploy/${toHex(transfer.signature)}`)).answer;
    expect(answer.balances).toEqual([
      { address: addressOf("u1"), balance: String(wealth - 1_000n - BigInt(blocks[0].cost)) },
      { address: addressOf("unused"), balance: "0" },
    ]);
    const block = (await node.ask(`/v2/transfers?address=${addressOf("u2")}`)).answer.transfers.at(-1).block.blockHash;
    expect((await node.ask("/v2/balances", { addresses: [addressOf("u2")], block })).status).toBe(200);
  });

  test("after a start the index goes on where it was, and nothing is there twice", async () => {
    const question = { address: addressOf("u2"), limit: 100, after: undefined, forks: true };
    const before = node.accounts.queries.transfers(question).entries;
    node.open();
    expect(node.accounts.queries.facts().isComplete).toBe(true);
    // A block that the index did not receive: the node was killed in between.
    await node.validator.proposing.submit(
      userDeploy("u2", transferTerm(addressOf("u2"), addressOf("u1"), 9n, "rnode")),
    );
    await node.validator.make();
    expect(node.accounts.queries.facts().isComplete).toBe(false);
    const ended = new AbortController();
    const running = node.accounts.run(ended.signal);
    await node.complete();
    ended.abort();
    await running;
    const [latest, ...others] = node.accounts.queries.transfers(question).entries;
    expect(latest?.entry.amount).toBe(9n);
    expect(others).toEqual(before);
  });

  const address = addressOf("u1");
  test.each([
    ["/v2/deploys", "query.deployer"],
    [`/v2/deploys?address=${address}&deployer=${"04".repeat(65)}`, "query.deployer"],
    ["/v2/deploys?deployer=xyz", "query.deployer"],
    ["/v2/deploys?deployer=04ab", "query.deployer"],
    [`/v2/deploys?deployer=${"0".repeat(5_00)}`, "query.deployer"],
    ["/v2/deploys?address=abc", "query.address"],
    [`/v2/deploys?address=${address}&address=${address}`, "query.address"],
    [`/v2/deploys?address=${address}&limit=0`, "query.limit"],
    [`/v2/deploys?address=${address}&limit=201`, "query.limit"],
    [`/v2/deploys?address=${address}&limit=1e2`, "query.limit"],
    [`/v2/deploys?address=${address}&after=x`, "query.after"],
    [`/v2/deploys?address=${address}&after=${"A".repeat(60)}`, "query.after"],
    [`/v2/deploys?address=${address}&forks=maybe`, "query.forks"],
    [`/v2/deploys?address=${address}&colour=red`, "query.colour"],
    ["/v2/transfers", "query.address"],
    ["/v2/transfers?address=", "query.address"],
    ["/v2/transfers?address=%00%ff", "query.address"],
    [`/v2/transfers?address=${address.slice(0, -1)}1`, "query.address"],
    [`/v2/transfers?address=${address}&limit=-1`, "query.limit"],
    ["/v2/deploy/xyz", "params.id"],
    ["/v2/deploy/abc", "params.id"],
    [`/v2/deploy/${"ab".repeat(300)}`, "params.id"],
  ])("%s is refused with the field that is to blame", async (path, field) => {
    const { status, answer } = await node.ask(path);
    expect([status, answer.field]).toEqual([400, field]);
    expect(answer.detail).not.toMatch(/\n\s+at /);
  });

  test.each([
    [{}, "body.addresses"],
    [{ addresses: [] }, "body.addresses"],
    [{ addresses: "x" }, "body.addresses"],
    [{ addresses: [address, 7] }, "body.addresses[1]"],
    [{ addresses: [address, "abc"] }, "body.addresses[1]"],
    [{ addresses: Array.from({ length: 1_001 }, () => address) }, "body.addresses"],
    [{ addresses: [address], block: "ab" }, "body.block"],
    [{ addresses: [address], colour: "red" }, "body.colour"],
  ])("balances of %j are refused with the field that is to blame", async (body, field) => {
    const { status, answer } = await node.ask("/v2/balances", body);
    expect([status, answer.field]).toEqual([400, field]);
  });

  test("what is not there is not found", async () => {
    expect((await node.ask(`/v2/deploy/${"ab".repeat(70)}`)).status).toBe(404);
    const block = "cd".repeat(32);
    expect((await node.ask("/v2/balances", { addresses: [address], block })).status).toBe(404);
    const unknown = (await node.ask(`/v2/transfers?address=${addressOf("unused")}`)).answer;
    expect([unknown.transfers, unknown.next]).toEqual([[], null]);
  });

  test("a thousand balances are returned at once", async () => {
    const addresses = Array.from({ length: 1_000 }, (_, at) => addressOf(at % 2 === 0 ? "u1" : `user ${at}`));
    const { status, answer } = await node.ask("/v2/balances", { addresses });
    expect([status, answer.balances.length]).toEqual([200, 1_000]);
  });

  test("an answer contains the public names that a deploy wrote and read, from its event log", async () => {
    const term = '@"shelf"!(1) | for (@x <- @"shelf") { @7!(x) } | for (_ <<- @7; _ <- @"empty") { Nil }';
    const naming = userDeploy("u1", term);
    const namesOf = async (deploy: Deploy) =>
      (await node.ask(`/v2/deploy/${toHex(deploy.signature)}`)).answer.effects.names;
    expect(await node.validator.proposing.submit(naming)).toBeUndefined();
    expect(await namesOf(naming)).toBeNull();
    await node.make();
    const names = (await namesOf(naming)) as { name: string; writes: number; reads: number }[];
    expect(names.map(({ name, writes, reads }) => [name, writes, reads])).toEqual([
      ['@"shelf"', 1, 1],
      ["@7", 1, 1],
      ['@"empty"', 0, 1],
    ]);
    expect(await namesOf(failing)).toEqual([]);
  });
});

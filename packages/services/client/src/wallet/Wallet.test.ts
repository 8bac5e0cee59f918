import { printJson } from "@vedette/api";
import { fromHex, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { deployKeyOf } from "../deploy/deployKey.js";
import { signDeployWith } from "../deploy/signDeployWith.js";
import { HttpClient } from "../http/HttpClient.js";
import { FakeHttpNode, type FakeRequest } from "../testing/fakes/FakeHttpNode.js";
import { type RhoInput, RhoTuple } from "../value/RhoValue.js";
import { rhoJsonOf } from "../value/rhoJson.js";
import { rholang } from "../value/rholang.js";
import { waitForFinalization } from "../wait/waitForDeploy.js";
import { balanceOf, queryPos } from "./balanceOf.js";
import { Wallet } from "./Wallet.js";

const privateKey = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";
const key = deployKeyOf(privateKey);
const payee = "11112FJGZC3y931p4dMn7xfJbxC7JHmq6vQMGRPVej9HEuBTvBLkHd";
const quick = { timeoutMs: 3_600_000, pollMs: 1 };

/** A chain of one validator, as far as a wallet sees it. */
class FakeChain {
  readonly deploys: { signature: string; data: { term: string; timestamp: number; validAfterBlockNumber: number } }[] =
    [];
  /** The node's report of the deploy. */
  facts = { cost: 100n, phloLimit: 500_000n, errored: false, systemDeployError: "" };
  /** The value that the deploy sent to its id; `undefined` if it sent none. */
  sent: RhoInput | undefined;
  isIncluded = true;
  isFinalized = true;
  finalizedNumber = 7n;
  /** The block that gives the deploy up, where one does. */
  rejectedBy: string | undefined;
  /** Whether the node reports what became of deploys. */
  isOurs = false;
  /** How often the node still reports that a deploy which was given up comes again, before it does. */
  timesGivenUp = 0;
  /** The states that an f1r3node node reports for the deploy, one after the other; the last one for ever. */
  states: string[] = [];
  explored: readonly RhoInput[] = [];

  readonly answer = ({ path, body }: FakeRequest): string | { status: number; text: string } => {
    const [, , route, hash, end] = path.split("/");
    if (path.startsWith("/v2/")) return this.isOurs ? this.#status() : { status: 404, text: "Not found" };
    switch (route) {
      case "status":
        return printJson({
          version: { api: "1", node: "x" },
          address: "",
          networkId: "n",
          shardId: "shard",
          peers: 0,
          nodes: 0,
          minPhloPrice: 3n,
          peerList: [],
        });
      case "blocks":
        if (end !== undefined) return printJson(this.rejectedBy === undefined ? [] : [this.#merging(this.rejectedBy)]);
        return printJson([this.#light(10n)]);
      case "last-finalized-block":
        return printJson({ blockInfo: this.#light(this.finalizedNumber), deploys: [] });
      case "is-finalized":
        return String(this.isFinalized);
      case "explore-deploy":
        return printJson({ expr: this.explored.map(rhoJsonOf) as never, block: this.#light(7n) });
      case "data-at-name-by-block-hash":
        if (this.sent === undefined) return { status: 400, text: '"None.get"' };
        return printJson({ expr: [rhoJsonOf(this.sent) as never], block: this.#light(7n) });
      case "block":
        return printJson({
          blockInfo: this.#light(7n),
          deploys: this.deploys.map((deploy) => this.#deployJson(deploy)),
        });
      default:
        return hash === undefined ? this.#take(body) : this.#find(hash);
    }
  };

  #status(): string {
    const [{ signature: deployId, data } = { signature: "", data: undefined! }] = this.deploys;
    const numbers = { timestamp: 1n, phloPrice: 1n, phloLimit: 1n, validAfterBlockNumber: 1n };
    const deploy = {
      deployId,
      deployer: "",
      address: null,
      sigAlgorithm: "",
      term: data.term,
      shardId: "",
      ...numbers,
    };
    this.timesGivenUp -= 1;
    // The last time another block has it, which is not final yet and counts first.
    const isInOther = this.timesGivenUp === 1;
    if (this.timesGivenUp <= 1 && this.timesGivenUp >= 0) this.rejectedBy = undefined;
    const block = { blockHash: "bb".repeat(32), blockNumber: 8n, status: isInOther ? "pending" : "finalized" };
    const outcome = { cost: 1n, errored: false, systemDeployError: "", rejectedBy: this.rejectedBy ?? null };
    const settled = this.rejectedBy === undefined ? "finalized" : "rejected";
    const status = isInOther ? "included" : this.timesGivenUp > 1 ? "pending" : settled;
    const note = { errors: [], prints: [], isNoteCut: false };
    return printJson({ status, deploy, blocks: [{ block, ...outcome, ...note }] });
  }

  #merging(blockHash: string) {
    const rejectedDeploys = [{ sig: this.deploys[0]?.signature ?? "" }];
    return { ...this.#light(9n), blockHash, rejectedDeploys };
  }

  #take(body: string): string {
    const deploy = JSON.parse(body) as FakeChain["deploys"][number];
    this.deploys.push(deploy);
    return `"Success! DeployId is: ${deploy.signature}"`;
  }

  #find(id: string): string | { status: number; text: string } {
    const finalizationState = this.states.length > 1 ? this.states.shift() : this.states[0];
    if (finalizationState !== undefined)
      return printJson({ deployId: id, blockHash: "aa".repeat(32), finalizationState });
    if (this.isIncluded) return printJson(this.#light(7n));
    return { status: 400, text: `"Couldn't find block containing deploy with id: ${id}"` };
  }

  #deployJson({ signature: sig, data }: FakeChain["deploys"][number]) {
    return {
      deployer: toHex(key.publicKey),
      term: data.term,
      timestamp: BigInt(data.timestamp),
      sig,
      sigAlgorithm: "secp256k1",
      phloPrice: 1n,
      validAfterBlockNumber: 9n,
      ...this.facts,
    };
  }

  #light(blockNumber: bigint) {
    const texts = { sender: "", sig: "", sigAlgorithm: "secp256k1", shardId: "shard", extraBytes: "", blockSize: "1" };
    const states = { headerExtraBytes: "", preStateHash: "", postStateHash: "", bodyExtraBytes: "" };
    const lists = { parentsHashList: [], bonds: [], justifications: [], rejectedDeploys: [] };
    const numbers = { seqNum: 1, version: 1n, timestamp: 1n, blockNumber, deployCount: 1, faultTolerance: 1 };
    return { blockHash: "aa".repeat(32), ...texts, ...states, ...lists, ...numbers };
  }
}

async function withChain<T>(run: (wallet: Wallet, chain: FakeChain, client: HttpClient) => Promise<T>): Promise<T> {
  const chain = new FakeChain();
  await using node = await FakeHttpNode.start(chain.answer);
  const client = new HttpClient({ url: node.url, retries: 0 });
  return await run(new Wallet({ key, validator: client, read: client, dialect: "rnode" }), chain, client);
}

test("a deploy takes the network's shard, price and height; no two have the same time", async () => {
  await withChain(async (wallet, chain) => {
    await Promise.all([wallet.send("Nil"), wallet.send(rholang`@"x"!(${1})`), wallet.send("Nil", { phloPrice: 5n })]);
    // Requests that are made at one time come in any order.
    const usual = { term: "Nil", phloPrice: 3, phloLimit: 500_000, validAfterBlockNumber: 9, shardId: "shard" };
    for (const sent of [usual, { term: '@"x"!(1)' }, { phloPrice: 5 }])
      expect(chain.deploys.map(({ data }) => data)).toContainEqual(expect.objectContaining(sent));
    expect(new Set(chain.deploys.map(({ data }) => data.timestamp)).size).toBe(3);
  });
});

test("a transfer is done when a finalized block holds it and the contract reports it", async () => {
  await withChain(async (wallet, chain) => {
    chain.sent = new RhoTuple(true, null);
    const transfer = await wallet.transfer(payee, 5n);
    expect((await transfer.done(quick)).blockNumber).toBe(7n);
    expect(chain.deploys[0]?.data.term).toContain(`@vault!("transfer", "${payee}", 5,`);
  });
});

test.each([true, false])("a deploy that a merge gave up is reported as rejected (Vedette node: %s)", async (isOurs) => {
  await withChain(async (wallet, chain, client) => {
    chain.isOurs = isOurs;
    chain.rejectedBy = "cc".repeat(32);
    chain.finalizedNumber = 9n;
    const sent = await wallet.transfer(payee, 5n);
    expect(await sent.outcome(quick)).toMatchObject({ status: "rejected", rejectedBy: "cc".repeat(32) });
    await expect(sent.done(quick)).rejects.toMatchObject({
      failure: { code: "deployRejected", deployId: sent.id, rejectedBy: "cc".repeat(32) },
    });
    const waiting = waitForFinalization(client, sent.id, quick);
    await expect(waiting).rejects.toThrow("without effect: sign it again");
  });
});

test.each([true, false])("a deploy that comes again is waited for (Vedette node: %s)", async (isOurs) => {
  await withChain(async (wallet, chain, client) => {
    chain.isOurs = isOurs;
    chain.rejectedBy = "cc".repeat(32);
    chain.finalizedNumber = 9n;
    const sent = await wallet.send("Nil");
    const again = () => {
      chain.rejectedBy = "cc".repeat(32);
      if (isOurs) chain.timesGivenUp = 3;
      else chain.states = ["Pending", "Pending", "Pending", "Pending", "Finalized"];
    };
    again();
    expect(await sent.outcome(quick)).toMatchObject({ status: "finalized" });
    again();
    expect(await waitForFinalization(client, sent.id, quick)).toMatchObject({ blockNumber: 7n });
    if (isOurs) return;
    chain.states = ["Pending", "Pending", "Expired"];
    expect(await sent.outcome(quick)).toMatchObject({ status: "rejected", rejectedBy: "cc".repeat(32) });
  });
});

test("of several final blocks with a deploy the one with the effect in the state counts", async () => {
  await withChain(async (wallet, chain, client) => {
    chain.isOurs = true;
    const sent = await wallet.send("Nil");
    const asked: string[] = [];
    const block = client.block.bind(client);
    client.block = (hash) => {
      asked.push(hash);
      return block(hash);
    };
    expect(await sent.outcome(quick)).toMatchObject({ status: "finalized" });
    expect(asked[0]).toBe("bb".repeat(32));
  });
});

test("every reason that prevents a transfer has an error code of its own", async () => {
  const cases: [(chain: FakeChain) => void, object][] = [
    [
      (chain) => (chain.sent = new RhoTuple(false, "Insufficient funds")),
      { code: "refused", reason: "Insufficient funds" },
    ],
    [() => {}, { code: "refused", reason: "it reported no outcome" }],
    [(chain) => (chain.facts.errored = true), { code: "deployFailed", reason: "the program ran into an error" }],
    [
      (chain) => Object.assign(chain.facts, { errored: true, cost: 500_000n }),
      { code: "deployFailed", reason: "the program used up its phlo" },
    ],
    [
      (chain) => (chain.facts.systemDeployError = "Insufficient funds"),
      { code: "deployFailed", reason: "Insufficient funds" },
    ],
    [(chain) => Object.assign(chain, { isIncluded: false, finalizedNumber: 59n }), { code: "deployExpired" }],
    [(chain) => Object.assign(chain, { isFinalized: false, finalizedNumber: 159n }), { code: "deployExpired" }],
  ];
  for (const [change, expected] of cases) {
    await withChain(async (wallet, chain) => {
      change(chain);
      const transfer = await wallet.transfer(payee, 5n);
      await expect(transfer.done(quick)).rejects.toMatchObject({ failure: { ...expected, deployId: transfer.id } });
    });
  }
});

test("what may still become final is waited for", async () => {
  for (const change of [
    { isIncluded: false, finalizedNumber: 58n },
    { isFinalized: false, finalizedNumber: 158n },
  ]) {
    await withChain(async (wallet, chain) => {
      Object.assign(chain, change);
      const sent = await wallet.send("Nil");
      const waiting = sent.outcome({ timeoutMs: 30, pollMs: 5 });
      await expect(waiting).rejects.toMatchObject({ failure: { code: "waitedTooLong" } });
    });
  }
});

test("a balance is an integer; a refusal by the contract and a state without a balance are errors", async () => {
  await withChain(async (wallet, chain, client) => {
    chain.explored = [9_223_372_036_854_775_807n];
    expect(await wallet.balance()).toBe(9_223_372_036_854_775_807n);
    expect(await queryPos(client, "getBonds", "rnode")).toBe(9_223_372_036_854_775_807n);
    chain.explored = ["Invalid checksum"];
    await expect(balanceOf(client, payee, "rnode")).rejects.toThrow(/did not come back: Invalid checksum/);
    chain.explored = [];
    await expect(balanceOf(client, payee, "rnode")).rejects.toThrow(/holds no such contract/);
    await expect(queryPos(client, "getBonds", "rnode")).rejects.toThrow(/getBonds did not come back/);
    await expect(balanceOf(client, "1111", "rnode")).rejects.toThrow(/Invalid address length/);
  });
});

test("a signer's signature is checked before it is sent", async () => {
  await withChain(async (_wallet, chain, client) => {
    const signer = { algorithm: "secp256k1" as const, publicKey: key.publicKey, sign: async () => fromHex("3045") };
    const request = { term: "Nil", timestamp: 1n, validAfterBlockNumber: 1n };
    await expect(signDeployWith(request, signer)).rejects.toMatchObject({ failure: { code: "badSignature" } });
    const wallet = new Wallet({ key: signer, validator: client, read: client, dialect: "rnode" });
    await expect(wallet.send("Nil")).rejects.toThrow(/does not match the deploy/);
    expect(chain.deploys).toEqual([]);
  });
});

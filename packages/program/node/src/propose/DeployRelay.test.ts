import { DeployPool } from "@vedette/chain";
import { blake2b256, fromHex, secp256k1PublicKeyOf } from "@vedette/crypto";
import { TestNode } from "@vedette/network/testing";
import {
  type Deploy,
  decodeDeployRelayQuestion,
  deployRelay,
  encodeDeploy,
  encodeDeployRelayAnswer,
  encodeDeployRelayQuestion,
  rnode,
  signDeploy,
} from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { afterEach, expect, test } from "vitest";
import { DeployRelay } from "./DeployRelay.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const publicKey = secp256k1PublicKeyOf(privateKey);
const rules = { shardName: "root", minimumPhloPrice: 1n, forbiddenKeys: [], dialect: rnode };

function deployOf(number: number, fields: { readonly shardId?: string; readonly term?: string } = {}): Deploy {
  const { shardId = "root", term = `@${number}!(0)` } = fields;
  const unsigned = { term, timestamp: BigInt(number), phloPrice: 1n, phloLimit: 1_000n };
  const deploy = { ...unsigned, validAfterBlockNumber: 0n, shardId };
  return signDeploy(deploy, { algorithm: "secp256k1", privateKey, publicKey });
}

/** A validator over real sockets: a pool, and what is handed in to it. */
class RelayingNode implements AsyncDisposable {
  readonly node = new TestNode();
  readonly pool = new DeployPool(new MemoryStore(tablesOf("chain")), rules);
  readonly submitted: string[] = [];
  readonly #relay: DeployRelay | undefined;
  #changed: (() => void)[] = [];

  constructor(relays = true) {
    const waiting = {
      find: (id: Uint8Array) => this.pool.find(id),
      submit: async (deploy: Deploy) => this.submit(deploy),
    };
    const yieldNow = () => new Promise<void>((resolve) => setImmediate(resolve));
    this.#relay = relays ? new DeployRelay(this.node.network, waiting, yieldNow) : undefined;
  }

  submit(deploy: Deploy): string | undefined {
    this.submitted.push(deploy.term);
    const answer = this.pool.submit(deploy);
    if (answer.kind === "accepted") this.#relay?.taken(deploy);
    for (const resolve of this.#changed.splice(0)) resolve();
    return answer.kind === "refused" ? answer.refusal.code : undefined;
  }

  async has(...deploys: readonly Deploy[]): Promise<void> {
    while (!deploys.every(({ signature }) => this.pool.has(signature)))
      await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }
}

const nodes: RelayingNode[] = [];

afterEach(async () => {
  for (const node of nodes.splice(0)) await node[Symbol.asyncDispose]();
});

async function started(relays = true): Promise<RelayingNode> {
  const node = new RelayingNode(relays);
  nodes.push(node);
  await node.node.start();
  return node;
}

async function connected(one: RelayingNode, other: RelayingNode): Promise<void> {
  await one.node.network.connect(other.node.peer);
  const knows = (from: TestNode, to: TestNode) => () => from.network.peers.some(({ id }) => id === to.peer.id);
  await one.node.until(knows(one.node, other.node));
  await other.node.until(knows(other.node, one.node));
  // The other's extensions are learned from its first answer.
  await other.node.network.send(one.node.peer, "ForkChoiceTipRequest", new Uint8Array());
}

test("a deploy that one validator takes waits on all, over others where they are no peers, and is handed in once", async () => {
  const [first, second, third] = [await started(), await started(), await started()];
  await connected(first, second);
  await connected(second, third);
  const deploys = Array.from({ length: 40 }, (_, number) => deployOf(number));
  for (const deploy of deploys) first.submit(deploy);
  await Promise.all([second.has(...deploys), third.has(...deploys)]);
  await connected(first, third);
  const last = deployOf(99);
  third.submit(last);
  await Promise.all([first.has(last), second.has(last)]);
  for (const { submitted } of [first, second, third]) expect(new Set(submitted).size).toBe(submitted.length);
});

test("a peer that does not announce support receives nothing", async () => {
  const [relaying, silent, other] = [await started(), await started(false), await started()];
  await connected(relaying, silent);
  await connected(relaying, other);
  const before = silent.node.packets.length;
  const deploy = deployOf(1);
  relaying.submit(deploy);
  await other.has(deploy);
  expect(relaying.node.network.understands(silent.node.peer, deployRelay)).toBe(false);
  expect([silent.submitted, silent.node.packets.length]).toEqual([[], before]);
});

test("a refused deploy is not fetched again, and one that was not requested is not taken", async () => {
  const victim = await started();
  const hostile = await started(false);
  const [refused, unasked, good] = [deployOf(1, { shardId: "other" }), deployOf(2), deployOf(3)];
  const wantedIds: string[] = [];
  hostile.node.network.answer(deployRelay, async (_, question) => {
    const { wanted } = decodeDeployRelayQuestion(question);
    wantedIds.push(...wanted.map((id) => Buffer.from(id).toString("hex")));
    return encodeDeployRelayAnswer([
      Uint8Array.of(1, 2, 3),
      ...[unasked, refused, good].map((one) => encodeDeploy(one, rnode.blockForm)),
    ]);
  });
  await connected(victim, hostile);
  await hostile.node.network.send(victim.node.peer, "ForkChoiceTipRequest", new Uint8Array());
  const offer = (...deploys: readonly Deploy[]) =>
    hostile.node.network.ask(victim.node.peer, {
      extension: deployRelay,
      content: encodeDeployRelayQuestion({
        offered: deploys.map(({ signature }) => blake2b256(signature)),
        wanted: [],
      }),
      maxAnswerBytes: 1_000,
      deadlineMs: 3_600_000,
    });
  await offer(refused);
  await offer(refused, good);
  await victim.has(good);
  await offer(refused, good);
  expect(victim.submitted).toEqual([refused.term, good.term]);
  expect(new Set(wantedIds).size).toBe(wantedIds.length);
  expect(victim.pool.has(unasked.signature)).toBe(false);
});

test("a source that gives nothing is left for another one that offered the same", async () => {
  const victim = await started();
  const [empty, honest] = [await started(false), await started()];
  const deploy = deployOf(7);
  let asked: (() => void) | undefined;
  const isRequested = new Promise<void>((resolve) => (asked = resolve));
  let answer: (() => void) | undefined;
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  empty.node.network.answer(deployRelay, async (_, question) => {
    if (decodeDeployRelayQuestion(question).wanted.length > 0) {
      asked?.();
      await mayAnswer;
    }
    return encodeDeployRelayAnswer([]);
  });
  await connected(victim, empty);
  await connected(honest, victim);
  const content = encodeDeployRelayQuestion({ offered: [blake2b256(deploy.signature)], wanted: [] });
  const question = { extension: deployRelay, content, maxAnswerBytes: 1_000, deadlineMs: 3_600_000 };
  await empty.node.network.send(victim.node.peer, "ForkChoiceTipRequest", new Uint8Array());
  await empty.node.network.ask(victim.node.peer, question);
  await isRequested;
  // The honest one offers while the request to the other is open.
  honest.pool.submit(deploy);
  await honest.node.network.ask(victim.node.peer, question);
  answer?.();
  await victim.has(deploy);
  expect(victim.submitted).toEqual([deploy.term]);
});

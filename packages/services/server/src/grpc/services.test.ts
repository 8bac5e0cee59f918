import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type DeployDataProto, DeployDataProtoSchema, parMessage } from "@vedette/api/grpc";
import { fromHex, secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { systemPublicKeys } from "@vedette/execution";
import { type Deploy, signDeploy, type UnsignedDeploy } from "@vedette/protocol";
import type { ProposeAnswer } from "@vedette/queries";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { GString, parOfExpr } from "@vedette/terms";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const publicKey = secp256k1PublicKeyOf(privateKey);
const name = parMessage(parOfExpr(new GString("somewhere")));

/** Elements of a stream. */
async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const elements: T[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
}

/** The content of an answer: the error's messages, or the answer itself. */
function contentOf({
  message,
}: {
  readonly message: { readonly case: string | undefined; readonly value?: unknown };
}): unknown {
  return message.case === "error" ? (message.value as { messages: string[] }).messages : message.value;
}

function signed(fields: Partial<UnsignedDeploy> = {}, algorithm: Deploy["algorithm"] = "secp256k1"): DeployDataProto {
  const unsigned = { term: "Nil", timestamp: 1n, phloPrice: 1n, phloLimit: 1_000n, validAfterBlockNumber: 0n };
  const deploy = signDeploy({ ...unsigned, shardId: "root", ...fields }, { algorithm, privateKey, publicKey });
  const { signature, algorithm: sigAlgorithm, ...rest } = deploy;
  return create(DeployDataProtoSchema, { ...rest, sig: signature, sigAlgorithm });
}

describe("a node that does not run yet", () => {
  const node = TestQueries.empty();
  let server: GrpcTest;
  beforeAll(async () => {
    node.isRunning = false;
    server = await GrpcTest.start(node.queries({ publicKey, isInDevMode: true }));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("says so in the words of each method", async () => {
    const client = server.deploys();
    const answers = {
      doDeploy: await client.doDeploy(signed()),
      getBlock: await client.getBlock({ hash: "abcdef" }),
      machineVerifiableDag: await client.machineVerifiableDag({}),
      listenForDataAtName: await client.listenForDataAtName({ depth: 1, name }),
      listenForContinuationAtName: await client.listenForContinuationAtName({ depth: 1, names: [name] }),
      getDataAtName: await client.getDataAtName({ par: name, blockHash: "00" }),
      findDeploy: await client.findDeploy({ deployId: fromHex("00") }),
      deployFinalizationStatus: await client.deployFinalizationStatus({ deploySig: fromHex("00") }),
      lastFinalizedBlock: await client.lastFinalizedBlock({}),
      isFinalized: await client.isFinalized({ hash: "00" }),
      bondStatus: await client.bondStatus({ publicKey }),
      exploratoryDeploy: await client.exploratoryDeploy({ term: "Nil" }),
      getEventByHash: await client.getEventByHash({ hash: "00" }),
      propose: await server.proposals().propose({}),
    };
    const texts = Object.entries(answers).map(([method, answer]) => [method, contentOf(answer)]);
    expect(Object.fromEntries(texts)).toEqual({
      doDeploy: ["Error: Could not deploy, casper instance was not available yet."],
      getBlock: ["Error: Could not get block, casper instance was not available yet."],
      machineVerifiableDag: ["Could not visualize graph, casper instance was not available yet."],
      listenForDataAtName: ["Error: Could not get listening name data, casper instance was not available yet."],
      listenForContinuationAtName: [
        "Error: Could not get listening names continuation, casper instance was not available yet.",
      ],
      getDataAtName: ["Error: Could not get data at par, casper instance was not available yet."],
      findDeploy: ["Error: errorMessage"],
      deployFinalizationStatus: [
        "Error: Could not compute deploy finalization status, casper instance was not available yet.",
      ],
      lastFinalizedBlock: ["Error: Could not get last finalized block, casper instance was not available yet."],
      isFinalized: ["Error: Could not check if block is finalized, casper instance was not available yet."],
      bondStatus: ["Error: Could not check if validator is bonded, casper instance was not available yet."],
      exploratoryDeploy: ["Error: Could not execute exploratory deploy, casper instance was not available yet."],
      getEventByHash: ["Error: Could not get event data."],
      propose: ["Failure: casper instance is not available."],
    });
    expect(node.submitted).toEqual([]);
  });

  test("streams nothing", async () => {
    const client = server.deploys();
    const range = { startBlockNumber: 0n, endBlockNumber: 1n };
    const streams = [
      client.getBlocks({ depth: 1 }),
      client.getBlocksByHeights(range),
      client.showMainChain({ depth: 1 }),
    ];
    for (const stream of streams) expect(await all(stream)).toEqual([]);
    expect(await all(client.visualizeDag({ depth: 1 }))).toEqual([]);
  });

  test("answers what needs no chain", async () => {
    const client = server.deploys("internal");
    const { message } = await client.previewPrivateNames({
      user: fromHex("464f6780d71b724525be14348b59c53dc8795346dfd7576c9f01c397ee7523e6"),
      timestamp: 1542308065454n,
      nameQty: 2,
    });
    const ids = message.case === "payload" ? message.value.ids.map(toHex) : [];
    expect(ids).toEqual([
      "b5630d1bfb836635126ee7f2770873937933679e38146b1ddfbfcc14d7d8a787",
      "cdaba23ba96f28c7f443a84086e260b839cc33068d0f685648ba2ae08fd7f9da",
    ]);
    const { message: many } = await client.previewPrivateNames({ nameQty: 2_000 });
    expect(many.case === "payload" && many.value.ids.length).toBe(1_024);
    expect((await client.status({})).message.case).toBe("status");
  });
});

describe("a deploy", () => {
  const node = TestQueries.empty();
  let server: GrpcTest;
  beforeAll(async () => {
    server = await GrpcTest.start(node.queries({ publicKey }));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const submit = async (deploy: DeployDataProto) => contentOf(await server.deploys().doDeploy(deploy));

  test("that is right is kept, with either algorithm", async () => {
    for (const algorithm of ["secp256k1", "secp256k1:eth"] as const) {
      const deploy = signed({ term: "new x in { x!(1) }" }, algorithm);
      expect(await submit(deploy)).toBe(`Success! DeployId is: ${toHex(deploy.sig)}`);
      expect(node.submitted.at(-1)?.signature).toEqual(deploy.sig);
    }
  });

  test("is refused at the first check that fails, and never kept", async () => {
    const before = node.submitted.length;
    const wrongShard = { shardId: "other", phloPrice: 0n, term: "x" };
    const cases: [DeployDataProto, string][] = [
      [{ ...signed(wrongShard), sigAlgorithm: "rsa", sig: new Uint8Array(0) }, "Invalid signing algorithm"],
      [{ ...signed(wrongShard), sig: new Uint8Array(70) }, "Invalid signature"],
      [{ ...signed(), term: "@0!(1)" }, "Invalid signature"],
      [signed(wrongShard), "Deploy shardId 'other' is not as expected network shard 'root'."],
      [signed({ phloPrice: 0n, term: "x" }), "Phlo price 0 is less than minimum price 1."],
      [signed({ phloPrice: -1n }), "Phlo price -1 is less than minimum price 1."],
    ];
    for (const [deploy, text] of cases) expect(await submit(deploy)).toEqual([text]);
    expect(await submit(signed({ term: "x" }))).toEqual([
      "Parsing error: Error in parsing term: \ncoop.rchain.rholang.interpreter.errors$TopLevelFreeVariablesNotAllowedError: Top level free variables are not allowed: x at 1:1.",
    ]);
    expect(node.submitted.length).toBe(before);
  });

  test("of a system contract's key is refused without its private key being known", async () => {
    // The signature is checked before, so such a deploy shows what is wrong with it first.
    const deploy = { ...signed(), deployer: systemPublicKeys[0]! };
    expect(await submit(deploy)).toEqual(["Invalid signature"]);
  });

  test("is refused by a node without a validator's key, after its signature was checked", async () => {
    await using observer = await GrpcTest.start(node.queries());
    const client = observer.deploys();
    expect(contentOf(await client.doDeploy(signed({ shardId: "other" })))).toEqual([
      "Deploy was rejected because node is running in read-only mode.",
    ]);
    expect(contentOf(await client.doDeploy({ ...signed(), term: "1" }))).toEqual(["Invalid signature"]);
    expect(contentOf(await observer.proposals().propose({}))).toEqual(["Propose error: read-only node."]);
    expect(contentOf(await observer.proposals().proposeResult({}))).toEqual(["Error: read-only node."]);
  });
});

describe("a request for a block", () => {
  const node = TestQueries.empty();
  let server: GrpcTest;
  beforeAll(async () => {
    server = await GrpcTest.start(node.queries({ publicKey }));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const blockHash = new Uint8Array(32).fill(0xab);
  const created = `Success! Block ${"ab".repeat(32)} created and added.`;
  const failed = (status: string) => ({ kind: "notCreated", status, sequenceNumber: 7 }) as const;
  const cases: [ProposeAnswer, string | string[], string | string[]][] = [
    [{ kind: "created", blockHash }, created, created],
    [failed("NoNewDeploys"), ["Failure: NoNewDeploys (seqNum 7)"], ["Proposal failed: NoNewDeploys"]],
    [
      failed("NotEnoughNewBlocks"),
      ["Failure: NotEnoughNewBlocks (seqNum 7)"],
      ["Proposal failed: Must wait for more blocks from other validators"],
    ],
    [
      failed("TooFarAheadOfLastFinalized"),
      ["Failure: TooFarAheadOfLastFinalized (seqNum 7)"],
      ["Proposal failed: too far ahead of the last finalized block"],
    ],
    [failed("NotBonded"), ["Failure: NotBonded (seqNum 7)"], ["Proposal failed: ReadOnlyMode"]],
    [
      failed("InternalDeployError"),
      ["Failure: InternalDeployError (seqNum 7)"],
      ["Proposal failed: internal deploy error"],
    ],
    [failed("BugError"), ["Failure: BugError (seqNum 7)"], ["Proposal failed: BugError"]],
  ];

  test.each(cases)("that ends with %o is answered in rnode's words", async (answer, proposed, latest) => {
    node.proposeAnswer = answer;
    expect(contentOf(await server.proposals().propose({}))).toEqual(proposed);
    expect(contentOf(await server.proposals().proposeResult({}))).toEqual(latest);
  });

  test("is turned away while another is at work, or answered that it has begun", async () => {
    node.proposeAnswer = { kind: "busy" };
    expect(contentOf(await server.proposals().propose({}))).toEqual(["Failure: another propose is in progress"]);
    node.proposeAnswer = { kind: "started", sequenceNumber: 3 };
    expect(contentOf(await server.proposals().propose({ isAsync: true }))).toBe("Propose started (seqNum 3)");
  });

  test("has no result before the first one", async () => {
    node.proposeAnswer = undefined;
    expect(contentOf(await server.proposals().proposeResult({}))).toEqual([
      "Proposal failed: Must wait for more blocks from other validators",
    ]);
  });

  test("cannot be made at the external port", async () => {
    for (const method of ["propose", "proposeResult"] as const) {
      const failure = await server
        .proposals("external")
        [method]({})
        .catch((error: unknown) => ConnectError.from(error));
      expect(failure).toMatchObject({
        code: Code.Unimplemented,
        rawMessage: `Method not found: casper.v1.ProposeService/${method}`,
      });
    }
  });
});

describe("a chain with a fork", () => {
  const node = TestQueries.empty();
  const { hashes } = insertBlocks(node.chain);
  let server: GrpcTest;
  beforeAll(async () => {
    server = await GrpcTest.start(node.queries());
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const heightsOf = (list: { message: { case: string | undefined; value?: unknown } }[]) =>
    list.map(({ message }) =>
      message.case === "blockInfo" ? (message.value as { blockNumber: bigint }).blockNumber : message,
    );

  test("is listed from either end", async () => {
    const client = server.deploys();
    expect(heightsOf(await all(client.getBlocks({ depth: 2 })))).toEqual([2n, 1n, 1n]);
    expect(heightsOf(await all(client.getBlocks({})))).toEqual([]);
    const span = { startBlockNumber: -5n, endBlockNumber: 1n };
    expect(heightsOf(await all(client.getBlocksByHeights(span)))).toEqual([0n, 1n, 1n]);
    expect(heightsOf(await all(client.showMainChain({ depth: 50 })))).toEqual([2n, 1n, 0n]);
  });

  test("answers an inverted range and a negative depth with an error without messages", async () => {
    const client = server.deploys();
    const inverted = await all(client.getBlocksByHeights({ startBlockNumber: 9n, endBlockNumber: 1n }));
    const negative = await all(client.getBlocks({ depth: -1 }));
    expect([...inverted, ...negative].map(contentOf)).toEqual([[], []]);
  });

  test("streams nothing where more blocks are asked for than one answer may have", async () => {
    const client = server.deploys();
    expect(await all(client.getBlocks({ depth: 51 }))).toEqual([]);
    expect(await all(client.showMainChain({ depth: 51 }))).toEqual([]);
    expect(await all(client.getBlocksByHeights({ startBlockNumber: 0n, endBlockNumber: 51n }))).toEqual([]);
  });

  test("is drawn with a column for each sender", async () => {
    const lines = await all(server.deploys().visualizeDag({ showJustificationLines: true }));
    const text = lines.map(({ message }) => message.value).join("");
    expect(text).toMatchInlineSnapshot(`
      "digraph "dag" {
        rankdir=BT
        node [width=0 height=0 margin=0.03 fontsize=8]
        splines=false
        subgraph "cluster_" {
          label = ""
          "a0a0a0a0a0..." [style=filled shape=box]
          "1_" [style=invis shape=box]
          "2_" [style=invis shape=box]
          "a0a0a0a0a0..." -> "1_" [style=invis]
          "1_" -> "2_" [style=invis]
        }
        subgraph "cluster_1111111111..." {
          label = "1111111111..."
          "0_1111111111..." [style=invis shape=box]
          "b1b1b1b1b1..." [shape=box]
          "b3b3b3b3b3..." [shape=box]
          "0_1111111111..." -> "b1b1b1b1b1..." [style=invis]
          "b1b1b1b1b1..." -> "b3b3b3b3b3..." [style=invis]
        }
        subgraph "cluster_2222222222..." {
          label = "2222222222..."
          "0_2222222222..." [style=invis shape=box]
          "b2b2b2b2b2..." [shape=box]
          "2_2222222222..." [style=invis shape=box]
          "0_2222222222..." -> "b2b2b2b2b2..." [style=invis]
          "b2b2b2b2b2..." -> "2_2222222222..." [style=invis]
        }
        "b1b1b1b1b1..." -> "a0a0a0a0a0..." [constraint=false]
        "b2b2b2b2b2..." -> "a0a0a0a0a0..." [constraint=false]
        "b3b3b3b3b3..." -> "b1b1b1b1b1..." [constraint=false]
        "b3b3b3b3b3..." -> "b2b2b2b2b2..." [constraint=false]
        "b1b1b1b1b1..." -> "a0a0a0a0a0..." [constraint=false style=dotted arrowhead=none]
        "b2b2b2b2b2..." -> "a0a0a0a0a0..." [constraint=false style=dotted arrowhead=none]
        "b3b3b3b3b3..." -> "b1b1b1b1b1..." [constraint=false style=dotted arrowhead=none]
        "b3b3b3b3b3..." -> "b2b2b2b2b2..." [constraint=false style=dotted arrowhead=none]
      }"
    `);
  });

  test("is returned as edges", async () => {
    const short = (text: string) => text.replaceAll(/([0-9a-f]{2})[0-9a-f]{62}/g, "$1");
    expect(short(String(contentOf(await server.deploys().machineVerifiableDag({}))))).toBe(
      "b3 b1\nb3 b2\nb2 a0\nb1 a0",
    );
  });

  test("has blocks by hash and by its beginning", async () => {
    const client = server.deploys();
    for (const hash of [hashes.top, hashes.top.slice(0, 8), hashes.top.slice(0, 7)]) {
      const { message } = await client.getBlock({ hash });
      expect(message.case === "blockInfo" && message.value.blockInfo?.blockHash).toBe(hashes.top);
    }
    expect(contentOf(await client.isFinalized({ hash: hashes.genesis }))).toBe(true);
    expect(contentOf(await client.isFinalized({ hash: hashes.top }))).toBe(false);
  });

  test("is not explored on a validator, except in dev mode", async () => {
    await using validator = await GrpcTest.start(node.queries({ publicKey }));
    expect(contentOf(await validator.deploys().exploratoryDeploy({ term: "Nil" }))).toEqual([
      "Exploratory deploy can only be executed on read-only RNode.",
    ]);
    const event = await validator.deploys().getEventByHash({ hash: hashes.top });
    expect(contentOf(event)).toEqual(["Block report can only be executed on read-only RNode."]);
  });

  test("has reports without content where nothing is reported", async () => {
    const { message } = await server.deploys().getEventByHash({ hash: hashes.top });
    expect(message.case === "result" && Buffer.from(message.value.postStateHash).toString()).toBe("empty");
    expect(contentOf(await server.deploys().getEventByHash({ hash: "zz" }))).toEqual([
      "Request hash: zz is not valid hex string",
    ]);
  });
});

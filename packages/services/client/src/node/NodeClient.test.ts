import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type DeployDataProto, DeployDataProtoSchema, parMessage, parOfMessage } from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { decodeDeploy, f1r3node, rnode } from "@vedette/protocol";
import { equalPar, GDeployId, GInt, GString, parOfExpr, parOfUnforgeable } from "@vedette/terms";
import { expect, test } from "vitest";
import { buildDeploy } from "../deploy/buildDeploy.js";
import { deployKeyOf } from "../deploy/deployKey.js";
import { ClientError } from "../failure/ClientError.js";
import { isUnknownDeploy } from "../failure/isUnknownDeploy.js";
import { FakeNode, type FakeServices } from "../testing/fakes/FakeNode.js";
import { blockFixture, lightBlockFixture } from "../testing/fakes/fixtures.js";
import { NodeClient } from "./NodeClient.js";

const key = deployKeyOf(fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530"));
const deploy = buildDeploy({ term: "new x in { x!(0) }", timestamp: 1n, validAfterBlockNumber: -1n }, key);

/** Sends a request to a fake node; returns its answers, or its failure. */
async function ask<T>(
  services: FakeServices,
  run: (client: NodeClient) => Promise<T>,
  timeoutMs = 3_600_000,
): Promise<T> {
  await using node = await FakeNode.start(services);
  using client = new NodeClient({ host: node.host, port: node.port, timeoutMs });
  return await run(client);
}

async function failureOf(run: Promise<unknown>): Promise<ClientError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClientError);
  return error as ClientError;
}

const refusal = (...messages: string[]) => ({ message: { case: "error" as const, value: { messages } } });

test("a deploy arrives as it was signed, and its id is in the answer", async () => {
  let received: DeployDataProto | undefined;
  const doDeploy = (request: DeployDataProto) => {
    received = request;
    return { message: { case: "result" as const, value: `Success! DeployId is: ${toHex(request.sig)}` } };
  };
  expect(await ask({ deploys: { doDeploy } }, (client) => client.deploy(deploy))).toBe(toHex(deploy.signature));
  expect(
    decodeDeploy(toBinary(DeployDataProtoSchema, create(DeployDataProtoSchema, received!)), rnode.blockForm),
  ).toEqual(deploy);

  const request = { term: "Nil", timestamp: 1n, validAfterBlockNumber: 0n, expirationTimestamp: 7_000n };
  const expiring = buildDeploy(request, key);
  expect(await ask({ deploys: { doDeploy } }, (client) => client.deploy(expiring))).toBe(toHex(expiring.signature));
  const bytes = toBinary(DeployDataProtoSchema, create(DeployDataProtoSchema, received!));
  expect(decodeDeploy(bytes, f1r3node.blockForm)).toEqual(expiring);
});

test("after a deploy, reads require a block no older than the newest that an answer named since", async () => {
  const asked: (string | null)[] = [];
  let height = 7;
  type Context = { readonly requestHeader: Headers; readonly responseHeader: Headers };
  const answerHeaders = ({ requestHeader, responseHeader }: Context) => {
    asked.push(requestHeader.get("vedette-min-block"));
    responseHeader.set("vedette-block", `${height};hash="ab";finalized=6`);
  };
  const isFinalized = (_: unknown, context: Context) => {
    answerHeaders(context);
    return { message: { case: "isFinalized" as const, value: true } };
  };
  const doDeploy = ({ sig }: DeployDataProto, context: Context) => {
    answerHeaders(context);
    return { message: { case: "result" as const, value: `Success! DeployId is: ${toHex(sig)}` } };
  };
  const getBlocks = async function* (_: unknown, context: Context) {
    answerHeaders(context);
    yield { message: { case: "blockInfo" as const, value: lightBlockFixture() } };
  };
  await ask({ deploys: { isFinalized, doDeploy, getBlocks } } as unknown as FakeServices, async (client) => {
    await client.isFinalized("ab");
    await client.deploy(deploy);
    height = 9;
    await client.isFinalized("ab");
    height = 8;
    await client.blocks(1);
    await client.isFinalized("ab");
  });
  expect(asked).toEqual([null, null, "7", "9", "9"]);
});

test("the older form of the answer is read, any other is a refusal", async () => {
  const answering = (value: string) => ({
    deploys: { doDeploy: () => ({ message: { case: "result" as const, value } }) },
  });
  expect(await ask(answering("Success!\nDeployId is: 30AB"), (client) => client.deploy(deploy))).toBe("30ab");
  const failure = await failureOf(ask(answering("Perhaps"), (client) => client.deploy(deploy)));
  expect(failure.message).toBe("Perhaps");
});

test("the node's words are the message of a refusal", async () => {
  const text = "Deploy shardId 'x' is not as expected network shard 'root'.";
  const refusing = (...messages: string[]) => ({ deploys: { doDeploy: () => refusal(...messages) } });
  const failure = await failureOf(ask(refusing(text, "Caused by: y"), (client) => client.deploy(deploy)));
  expect(failure.failure).toEqual({ code: "refused", call: "doDeploy", messages: [text, "Caused by: y"] });
  expect(failure.message).toBe(`${text}\nCaused by: y`);
  const silent = await failureOf(ask(refusing(), (client) => client.deploy(deploy)));
  expect(silent.message).toBe("The node refused doDeploy without a reason");
});

test("streams are read to their end; an empty one is no error", async () => {
  const getBlocks = async function* ({ depth }: { depth: number }) {
    for (let index = 0; index < depth; index += 1) {
      yield { message: { case: "blockInfo" as const, value: lightBlockFixture({ blockNumber: BigInt(9 - index) }) } };
    }
  };
  const numbers = await ask({ deploys: { getBlocks } }, async (client) => [
    (await client.blocks(3)).map(({ blockNumber }) => blockNumber),
    await client.blocks(0),
    (await client.latestBlock()).blockNumber,
  ]);
  expect(numbers).toEqual([[9n, 8n, 7n], [], 9n]);
  const none = await failureOf(ask({ deploys: { async *getBlocks() {} } }, (client) => client.latestBlock()));
  expect(none.message).toMatch(/has no blocks yet/);
  const refusedPart = {
    async *showMainChain() {
      yield refusal("no");
    },
  };
  expect((await failureOf(ask({ deploys: refusedPart }, (client) => client.mainChain(1)))).failure.code).toBe(
    "refused",
  );
});

test("terms travel both ways", async () => {
  const name = parOfUnforgeable(new GDeployId(deploy.signature));
  const answer = parOfExpr(new GString("hello"));
  const deploys: FakeServices["deploys"] = {
    getDataAtName: ({ par, blockHash }) => {
      expect(equalPar(parOfMessage(par!), name)).toBe(true);
      const value = { par: [parMessage(answer)], block: lightBlockFixture({ blockHash }) };
      return { message: { case: "payload", value } };
    },
    exploratoryDeploy: ({ term, blockHash, usePreStateHash }) => {
      expect([term, blockHash, usePreStateHash]).toEqual(["new x in {}", "", false]);
      return { message: { case: "result", value: { postBlockData: [parMessage(parOfExpr(new GInt(-5n)))] } } };
    },
  };
  const [atName, explored] = await ask({ deploys }, async (client) => [
    await client.dataAtName(name, "ab"),
    await client.explore("new x in {}"),
  ]);
  expect(equalPar(atName.data[0]!, answer)).toBe(true);
  expect(atName.block?.blockHash).toBe("ab");
  expect(explored.data[0]?.exprs[0]).toMatchObject({ value: -5n });
});

test("a deploy that no block holds is distinguished from every other refusal", async () => {
  const finding = (text: string) =>
    ask({ deploys: { findDeploy: () => refusal(text) } }, (client) => client.findDeploy(deploy.signature));
  expect(isUnknownDeploy(await failureOf(finding("Couldn't find block containing deploy with id: 3045")))).toBe(true);
  expect(isUnknownDeploy(await failureOf(finding("Error: errorMessage")))).toBe(false);
});

test("where nothing listens, the error has the address and the reason", async () => {
  const node = await FakeNode.start({});
  const { host, port } = node;
  await node[Symbol.asyncDispose]();
  using client = new NodeClient({ host, port, timeoutMs: 3_600_000 });
  const failure = await failureOf(client.status());
  expect(failure.message).toBe(
    `no node at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}): check that it runs, and host (-H) and gRPC port (-p)`,
  );
});

test("a port that answers nothing, HTTP 1 or nonsense does not hang the client", async () => {
  const silent = createServer();
  const http = createHttpServer((_request, response) => response.end("hello"));
  const nonsense = createServer((socket) => {
    socket.on("error", () => {});
    socket.end("SSH-2.0-OpenSSH\r\n".repeat(10));
  });
  const codes: string[] = [];
  for (const server of [silent, http, nonsense] as Server[]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    using client = new NodeClient({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, timeoutMs: 300 });
    const { failure, message } = await failureOf(client.status());
    codes.push(failure.code);
    expect(message).toContain(client.address);
    client.close();
    server.close();
    if ("closeAllConnections" in server) (server as unknown as { closeAllConnections(): void }).closeAllConnections();
  }
  expect(codes[0]).toBe("timedOut");
  for (const code of codes) expect(["timedOut", "notUnderstood", "unreachable"]).toContain(code);
});

test("gRPC failures become sentences", async () => {
  const failing = (code: Code) =>
    ask(
      {
        deploys: {
          status: () => {
            throw new ConnectError("why", code);
          },
        },
      },
      (client) => client.status(),
    );
  expect((await failureOf(failing(Code.ResourceExhausted))).message).toMatch(
    /^A message of status is too large .*\(why\)/,
  );
  expect((await failureOf(failing(Code.Unknown))).message).toMatch(/^invalid response to status from .* \(why\)/);
  const external = await failureOf(ask({ deploys: {} }, (client) => client.propose()));
  expect(external.message).toMatch(/does not offer propose on this port; send proposals to its internal gRPC port/);
});

test("an answer larger than allowed is refused by the client", async () => {
  const getBlock = () => ({
    message: { case: "blockInfo" as const, value: blockFixture({ extraBytes: new Uint8Array(100_000) }) },
  });
  await using node = await FakeNode.start({ deploys: { getBlock } });
  using client = new NodeClient({ host: node.host, port: node.port, maxMessageBytes: 10_000 });
  expect((await failureOf(client.block("aaaaaa"))).failure.code).toBe("tooLarge");
});

test("an answer without content is not understood", async () => {
  const failure = await failureOf(ask({ deploys: { status: () => ({}) } }, (client) => client.status()));
  expect(failure.failure).toMatchObject({ code: "notUnderstood", reason: "the answer is empty" });
});

test("every call ends when the caller interrupts", async () => {
  await using node = await FakeNode.start({ deploys: { status: () => new Promise<never>(() => {}) } });
  const controller = new AbortController();
  using client = new NodeClient({ host: node.host, port: node.port, signal: controller.signal });
  const asked = failureOf(client.status());
  controller.abort();
  expect((await asked).failure.code).toBe("cancelled");
});

test("calls made at the same time share a connection, and a lost one is replaced", async () => {
  const sessions = new Set<unknown>();
  const services: FakeServices = {
    deploys: { isFinalized: () => ({ message: { case: "isFinalized", value: false } }) },
  };
  await using node = await FakeNode.start(services, (session) => sessions.add(session));
  using client = new NodeClient({ host: node.host, port: node.port });
  const five = () => Promise.all(Array.from({ length: 5 }, () => client.isFinalized("00")));
  expect(await five()).toEqual([false, false, false, false, false]);
  await five();
  expect(sessions.size).toBe(1);
  node.cutConnections();
  // The first call may still meet the connection that is being cut.
  await client.isFinalized("00").catch(() => undefined);
  await five();
  expect(sessions.size).toBe(2);
});

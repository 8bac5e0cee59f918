import type { AddressInfo } from "node:net";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { DeployDataProtoSchema } from "@vedette/api/grpc";
import type { Line } from "@vedette/config/log";
import { secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { type QueryReaders, ReaderPoolError } from "@vedette/executor/threads";
import { signDeploy } from "@vedette/protocol";
import type { ApiQueries } from "@vedette/queries";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";
import { createHttpServer } from "./server.js";

const privateKey = new Uint8Array(32).fill(1);
const publicKey = secp256k1PublicKeyOf(privateKey);
const unsigned = { term: "Nil", timestamp: 1n, phloPrice: 1n, phloLimit: 1n, validAfterBlockNumber: 0n };
const deploy = signDeploy({ ...unsigned, shardId: "root" }, { algorithm: "secp256k1", privateKey, publicKey });
const busyText = "Too many queries are waiting; try again later.";
const lines: Line[] = [];
const started: AsyncDisposable[] = [];
afterEach(async () => {
  lines.length = 0;
  for (const one of started.splice(0)) await one[Symbol.asyncDispose]();
});

/** A node with these readers, as an observer that reports and as a validator. */
async function start(readers: QueryReaders) {
  const node = TestQueries.over(readers);
  const { hashes } = insertBlocks(node.chain);
  const log = (line: Line) => void lines.push(line);
  const listen = async (queries: ApiQueries) => {
    const reads = { queries, metrics: async () => "", isReporting: true };
    const server: FastifyInstance = createHttpServer(reads, { log });
    await server.listen({ host: "127.0.0.1", port: 0 });
    started.push({ [Symbol.asyncDispose]: async () => void (await server.close()) });
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  };
  const observing = node.queries({ isReporting: true });
  const validating = node.queries({ publicKey });
  const observer = await listen(observing);
  const validator = await listen(validating);
  const grpc = await GrpcTest.start(observing);
  const validatorGrpc = await GrpcTest.start(validating);
  started.push(grpc, validatorGrpc);
  return { observer, validator, grpc, validatorGrpc, hash: hashes.top };
}

async function ask(url: string, body?: string) {
  const answer = await fetch(url, body === undefined ? {} : { method: "POST", body });
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    body: JSON.parse(await answer.text()),
  };
}

const refusedBy = (code: "busy" | "closed" | "overrun"): QueryReaders => ({
  call: () => Promise.reject(new ReaderPoolError({ code })),
});
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error) => (error instanceof ConnectError ? [error.code, error.rawMessage] : error),
  );

test("every route that has to wait for readers answers 503 with retry-after while they are busy", async () => {
  const { observer, validator, hash } = await start(refusedBy("busy"));
  const explore = JSON.stringify({ term: "Nil", blockHash: hash, usePreStateHash: false });
  const { data, signature, deployer } = { data: { ...unsigned, shardId: "root" }, ...deploy };
  const submitted = JSON.stringify(
    { data, deployer: toHex(deployer), signature: toHex(signature), sigAlgorithm: "secp256k1" },
    (_, value) => (typeof value === "bigint" ? Number(value) : value),
  );
  const requests: readonly (readonly [string, string?])[] = [
    [`${observer}/api/explore-deploy`, "Nil"],
    [`${observer}/explore-deploy`, '{"term":"Nil"}'],
    [`${observer}/api/explore-deploy-by-block-hash`, explore],
    [`${observer}/api/transactions/${hash}`],
    [`${observer}/api/trace?blockHash=${hash}`],
    [`${validator}/api/deploy`, submitted],
  ];
  for (const [url, body] of requests) {
    const { status, retryAfter, body: text } = await ask(url, body);
    expect([url, status, retryAfter]).toEqual([url, 503, "1"]);
    expect(text).toBe(busyText);
  }
  const versioned = await ask(`${observer}/api/v1/explore-deploy`, '"Nil"');
  expect(versioned).toMatchObject({ status: 503, retryAfter: "1", body: [expect.stringMatching(/^Too many/)] });
  const ours = await ask(`${observer}/v2/explore`, '{"term":"Nil"}');
  expect(ours).toMatchObject({ status: 503, retryAfter: "1", body: { status: 503 } });
  // A flood must not fill the log.
  expect(lines).toEqual([]);
});

test("over gRPC the status is RESOURCE_EXHAUSTED", async () => {
  const { grpc, validatorGrpc, hash } = await start(refusedBy("busy"));
  const client = grpc.deploys();
  const { algorithm: sigAlgorithm, signature: sig, ...rest } = deploy;
  const submitted = create(DeployDataProtoSchema, { ...rest, sig, sigAlgorithm });
  expect(await statusOf(client.exploratoryDeploy({ term: "Nil" }))).toEqual([Code.ResourceExhausted, busyText]);
  expect(await statusOf(client.bondStatus({ publicKey }))).toEqual([Code.ResourceExhausted, busyText]);
  expect(await statusOf(client.getEventByHash({ hash }))).toEqual([Code.ResourceExhausted, busyText]);
  expect(await statusOf(validatorGrpc.deploys().doDeploy(submitted))).toEqual([Code.ResourceExhausted, busyText]);
  expect([...grpc.failures, ...validatorGrpc.failures]).toEqual([]);
});

test("a node that stops, or a reader that had to be ended, is refused with its own reason", async () => {
  for (const [code, text] of [
    ["closed", "The node is shutting down."],
    ["overrun", "The query did not end in time and its thread was ended."],
  ] as const) {
    const { observer, grpc } = await start(refusedBy(code));
    expect(await ask(`${observer}/api/explore-deploy`, "Nil")).toEqual({ status: 503, retryAfter: "1", body: text });
    expect(await statusOf(grpc.deploys().exploratoryDeploy({ term: "Nil" }))).toEqual([Code.ResourceExhausted, text]);
  }
});

test("a client with too much under way is answered with 429, and the others in their turns", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { observer, grpc } = await start({
    call: async () => {
      await released;
      return { kind: "values", values: { form: "json", terms: [] } } as never;
    },
  });
  const url = `${observer}/api/explore-deploy`;
  const asked = Array.from({ length: 129 }, () => ask(url, "Nil"));
  const refused = await Promise.race(asked);
  expect(refused).toMatchObject({ status: 429, retryAfter: "1", body: expect.stringMatching(/of your address/) });
  expect(await ask(`${observer}/api/v1/explore-deploy`, '"Nil"')).toMatchObject({ status: 429, retryAfter: "1" });
  expect(await ask(`${observer}/v2/explore`, '{"term":"Nil"}')).toMatchObject({ status: 429, retryAfter: "1" });
  expect(await statusOf(grpc.deploys().exploratoryDeploy({ term: "Nil" }))).toEqual([
    Code.ResourceExhausted,
    expect.stringMatching(/of your address/),
  ]);
  release();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(128).fill(200), 429]);
});

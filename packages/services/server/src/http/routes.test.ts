import type { AddressInfo } from "node:net";
import { fromHex, secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { systemPublicKeys } from "@vedette/execution";
import { type Deploy, signDeploy, type UnsignedDeploy } from "@vedette/protocol";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdminServer } from "./adminServer.js";
import { createHttpServer } from "./server.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const publicKey = secp256k1PublicKeyOf(privateKey);
const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const validator = node.queries({ publicKey });
const observer = node.queries();
const servers: Record<"validator" | "observer" | "admin" | "observerAdmin", FastifyInstance> = {
  validator: createHttpServer({ queries: validator, metrics: async () => "" }),
  observer: createHttpServer({ queries: observer, metrics: async () => "" }),
  admin: createAdminServer(validator),
  observerAdmin: createAdminServer(observer),
};

beforeAll(async () => {
  for (const server of Object.values(servers)) await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

async function ask(
  server: keyof typeof servers,
  method: string,
  path: string,
  body?: string,
): Promise<readonly [number, string]> {
  const { port } = servers[server].server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method, body: body ?? null },
    ...(body !== undefined && { headers: { "content-type": "application/json" } }),
  });
  return [answer.status, await answer.text()];
}

interface Request {
  data: Record<string, unknown>;
  deployer: string;
  signature: string;
  sigAlgorithm: string;
}

function signed(fields: Partial<UnsignedDeploy> = {}, algorithm: Deploy["algorithm"] = "secp256k1"): Request {
  const unsigned = { term: "Nil", timestamp: 1n, phloPrice: 1n, phloLimit: 1_000n, validAfterBlockNumber: 0n };
  const deploy = signDeploy({ ...unsigned, shardId: "root", ...fields }, { algorithm, privateKey, publicKey });
  return {
    data: {
      term: deploy.term,
      timestamp: Number(deploy.timestamp),
      phloPrice: Number(deploy.phloPrice),
      phloLimit: String(deploy.phloLimit),
      validAfterBlockNumber: Number(deploy.validAfterBlockNumber),
      shardId: deploy.shardId,
    },
    deployer: toHex(deploy.deployer),
    signature: toHex(deploy.signature),
    sigAlgorithm: deploy.algorithm,
  };
}

describe("POST /api/deploy", () => {
  const deploy = (request: unknown, server: keyof typeof servers = "validator") =>
    ask(server, "POST", "/api/deploy", JSON.stringify(request));

  test("keeps a deploy that is right; numbers may be texts", async () => {
    const request = signed({ phloLimit: 9_223_372_036_854_775_807n }, "secp256k1:eth");
    expect(await deploy(request)).toEqual([200, `"Success! DeployId is: ${request.signature}"`]);
    expect(node.submitted.at(-1)?.phloLimit).toBe(9_223_372_036_854_775_807n);
    const upper = { ...signed(), sigAlgorithm: "SECP256K1" };
    expect(await deploy(upper)).toEqual([200, `"Success! DeployId is: ${upper.signature}"`]);
    expect(await ask("validator", "POST", "/api/v1/deploy", JSON.stringify(signed()))).toEqual([
      200,
      `"Success! DeployId is: ${signed().signature}"`,
    ]);
  });

  test("refuses at the first check that fails, in their order", async () => {
    const before = node.submitted.length;
    const wrong = signed({ shardId: "other", phloPrice: 0n, term: "x" });
    const everything = { ...wrong, deployer: "xy", signature: "xy", sigAlgorithm: "rsa" };
    const steps: [Request, string][] = [
      [everything, "Public key is not valid base16 format."],
      [{ ...everything, deployer: wrong.deployer }, "Signature is not valid base16 format."],
      [{ ...wrong, sigAlgorithm: "rsa" }, "Signature algorithm not supported."],
      [{ ...wrong, sigAlgorithm: "ed25519" }, "Signature algorithm not supported."],
      [{ ...wrong, signature: "abc" }, "Invalid signature."],
      [{ ...wrong, deployer: toHex(systemPublicKeys[0]!) }, "Invalid signature."],
      [wrong, "Deploy shardId 'other' is not as expected network shard 'root'."],
      [signed({ phloPrice: 0n, term: "x" }), "Phlo price 0 is less than minimum price 1."],
    ];
    for (const [request, text] of steps) expect(await deploy(request)).toEqual([400, JSON.stringify(text)]);
    const [status, text] = await deploy(signed({ term: "new x in {" }));
    expect([status, JSON.parse(text)]).toEqual([
      400,
      "Parsing error: Error in parsing term: \ncoop.rchain.rholang.interpreter.errors$SyntaxError: syntax error(EOF):  at 1:11-1:11",
    ]);
    expect(node.submitted.length).toBe(before);
  });

  test("refuses on a node without a validator's key, after the signature", async () => {
    const readOnly = '"Deploy was rejected because node is running in read-only mode."';
    expect(await deploy(signed({ shardId: "other" }), "observer")).toEqual([400, readOnly]);
    expect(await deploy({ ...signed(), signature: "00" }, "observer")).toEqual([400, '"Invalid signature."']);
  });

  test("needs every field, each of its type", async () => {
    const request = signed();
    for (const name of ["term", "timestamp", "phloPrice", "phloLimit", "validAfterBlockNumber", "shardId"])
      for (const value of [undefined, null, {}, [], true, "x y", 1.5, 1e30]) {
        if (typeof value === "string" && (name === "term" || name === "shardId")) continue;
        const [status, text] = await deploy({ ...request, data: { ...request.data, [name]: value } });
        expect([name, value, status]).toEqual([name, value, 400]);
        expect(JSON.parse(text)).toMatch(/^Invalid message body: Could not decode JSON: \{\n {2}"data" : /);
        expect(JSON.parse(text).length).toBe(253);
      }
  });

  test("reads no body that is nested without end, and none that is too large", async () => {
    const malformed = '"Malformed message body: Invalid JSON"';
    expect(await ask("validator", "POST", "/api/deploy", "[".repeat(1_000_000))).toEqual([400, malformed]);
    expect((await ask("validator", "POST", "/api/deploy", `"${"x".repeat(17_000_000)}"`))[0]).toBe(413);
    expect((await ask("validator", "GET", "/api/status"))[0]).toBe(200);
  });
});

describe("names", () => {
  const unforgeable = (data: string) => ({ UnforgPrivate: { data } });

  test("are computed before they are drawn", async () => {
    const request = {
      deployer: "464f6780d71b724525be14348b59c53dc8795346dfd7576c9f01c397ee7523e6",
      timestamp: 1542315551822,
      nameQty: 1,
    };
    expect(await ask("observer", "POST", "/api/prepare-deploy", JSON.stringify(request))).toEqual([
      200,
      '{"names":["d472acf9c61e276e460de567a2b709bc9b97ff6135a812abcbaa60106d2744f9"],"seqNumber":-1}',
    ]);
    const many = JSON.stringify({ ...request, nameQty: 100_000 });
    const [, text] = await ask("observer", "POST", "/api/prepare-deploy", many);
    expect(JSON.parse(text).names.length).toBe(1_024);
    expect(await ask("validator", "GET", "/api/prepare-deploy")).toEqual([200, '{"names":[],"seqNumber":-1}']);
  });

  test("that no deploy touched have no data", async () => {
    const body = JSON.stringify({ name: unforgeable("00"), depth: 5 });
    expect(await ask("observer", "POST", "/api/data-at-name", body)).toEqual([200, '{"exprs":[],"length":0}']);
    const request = { name: unforgeable("00"), usePreStateHash: true };
    const at = (blockHash: string) =>
      ask("observer", "POST", "/api/data-at-name-by-block-hash", JSON.stringify({ ...request, blockHash }));
    expect(await at(hashes.top)).toEqual([400, '"None.get"']);
    expect(await at("00".repeat(32))).toEqual([400, '"BlockStore is missing hash 0000000000..."']);
  });

  test("that are none make the body unreadable", async () => {
    for (const name of [
      null,
      1,
      {},
      { Other: { data: "00" } },
      { UnforgPrivate: { data: 0 } },
      { UnforgPrivate: "00" },
    ])
      expect((await ask("observer", "POST", "/api/data-at-name", JSON.stringify({ name, depth: 1 })))[1]).toMatch(
        /^"Invalid message body: Could not decode JSON/,
      );
  });
});

describe("the operator's server", () => {
  test("has blocks made", async () => {
    node.proposeAnswer = { kind: "created", blockHash: new Uint8Array(32).fill(1) };
    const created = `"Success! Block ${"01".repeat(32)} created and added."`;
    expect(await ask("admin", "POST", "/api/propose")).toEqual([200, created]);
    expect(await ask("admin", "POST", "/api/propose", "{}")).toEqual([200, created]);
    expect(await ask("admin", "POST", "/api/v1/propose")).toEqual([200, created]);
  });

  test("returns why there is none", async () => {
    node.proposeAnswer = { kind: "busy" };
    const busy = "Failure: another propose is in progress";
    expect(await ask("admin", "POST", "/api/propose")).toEqual([400, JSON.stringify(busy)]);
    expect(await ask("admin", "POST", "/api/v1/propose")).toEqual([500, JSON.stringify([busy])]);
    const readOnly = "Propose error: read-only node.";
    expect(await ask("observerAdmin", "POST", "/api/propose")).toEqual([400, JSON.stringify(readOnly)]);
  });

  test("has nothing else of the public one but what is versioned", async () => {
    for (const path of ["/status", "/api/status", "/metrics", "/version", "/api/blocks"])
      expect(await ask("admin", "GET", path)).toEqual([404, "Not found"]);
    expect((await ask("admin", "GET", "/api/v1/status"))[0]).toBe(200);
    expect((await ask("validator", "POST", "/api/propose"))[0]).toBe(404);
    expect((await ask("validator", "POST", "/api/v1/propose"))[0]).toBe(404);
  });

  test("is an empty trace on a node that does not report", async () => {
    const [status, text] = await ask("observerAdmin", "GET", `/api/trace?blockHash=${hashes.top}`);
    const { report, type } = JSON.parse(text);
    expect([status, type, report["block-info"].blockHash, report.deploys]).toEqual([
      200,
      "block-traces-report",
      hashes.top,
      [],
    ]);
    expect((await ask("observerAdmin", "GET", "/api/trace?blockHash=xyz"))[0]).toBe(404);
    expect((await ask("observerAdmin", "GET", `/api/trace?blockHash=${hashes.top}&forceReplay=1`))[0]).toBe(404);
  });
});

test("programs are not run on a validator, except in dev mode", async () => {
  const text = "Exploratory deploy can only be executed on read-only RNode.";
  expect(await ask("validator", "POST", "/api/explore-deploy", "Nil")).toEqual([400, JSON.stringify(text)]);
  expect(await ask("validator", "POST", "/api/v1/explore-deploy", '"Nil"')).toEqual([500, JSON.stringify([text])]);
});

test("a body without a program is refused with what is expected and an example", async () => {
  const refused = async (body: string) => {
    const [status, text] = await ask("observer", "POST", "/explore-deploy", body);
    return [status, JSON.parse(String(text)) as string];
  };
  const expected = /The body must be a Rholang program as text, or \{"term":"<program>"\} as JSON; for example: new/;
  for (const body of ["", "  ", '{"trem":"Nil"}', '{"term":5}', '["Nil"]', '"Nil"'])
    expect(await refused(body), body).toEqual([400, expect.stringMatching(expected)]);
});

import { apiV1BlocksRoute, printJson } from "@vedette/api";
import { fromHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { buildDeploy } from "../deploy/buildDeploy.js";
import { deployKeyOf } from "../deploy/deployKey.js";
import { ClientError } from "../failure/ClientError.js";
import { isUnknownDeploy } from "../failure/isUnknownDeploy.js";
import { type FakeAnswer, FakeHttpNode, type FakeRequest } from "../testing/fakes/FakeHttpNode.js";
import { RhoUnforgeable } from "../value/RhoValue.js";
import { rholang } from "../value/rholang.js";
import { HttpClient } from "./HttpClient.js";
import type { HttpOptions } from "./HttpConnection.js";

const light = {
  blockHash: "aa".repeat(32),
  sender: "",
  seqNum: 1,
  sig: "",
  sigAlgorithm: "secp256k1",
  shardId: "root",
  extraBytes: "",
  version: 1n,
  timestamp: 1_700_000_000_123n,
  headerExtraBytes: "",
  parentsHashList: [],
  blockNumber: 9_007_199_254_740_993n,
  preStateHash: "",
  postStateHash: "",
  bodyExtraBytes: "",
  bonds: [{ validator: "04", stake: 9_223_372_036_854_775_807n }],
  blockSize: "1",
  deployCount: 0,
  faultTolerance: 1,
  justifications: [],
  rejectedDeploys: [],
};
const quick = { retryPauseMs: 1, timeoutMs: 3_600_000 };

async function withNode<T>(
  answer: (request: FakeRequest) => FakeAnswer | string,
  run: (client: HttpClient, node: FakeHttpNode) => Promise<T>,
  options: Partial<HttpOptions> = {},
): Promise<T> {
  await using node = await FakeHttpNode.start(answer);
  return await run(new HttpClient({ url: node.url, ...quick, ...options }), node);
}

async function failureOf(run: Promise<unknown>): Promise<ClientError["failure"]> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClientError);
  return (error as ClientError).failure;
}

test.each(["Success! DeployId is: 3045ab", "Success!\nDeployId is: 3045ab"])(
  "a deploy is taken for accepted in the words of nodes of either dialect: %j",
  async (text) => {
    await withNode(
      () => JSON.stringify(text),
      async (client) => {
        const key = deployKeyOf(fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530"));
        const request = { term: "Nil", timestamp: 1n, phloLimit: 1n, validAfterBlockNumber: 0n };
        expect(await client.deploy(buildDeploy(request, key))).toBe("3045ab");
      },
    );
  },
);

test("integers of 64 bits are read and written without loss", async () => {
  await withNode(
    ({ path }) => (path === "/api/deploy" ? '"Success! DeployId is: 3045ab"' : printJson([light])),
    async (client, node) => {
      const [block] = await client.blocks(3);
      expect(block?.blockNumber).toBe(9_007_199_254_740_993n);
      expect(block?.bonds[0]?.stake).toBe(9_223_372_036_854_775_807n);
      const key = deployKeyOf(fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530"));
      const request = { term: "Nil", timestamp: 1n, phloLimit: 2n ** 63n - 1n, validAfterBlockNumber: -1n };
      expect(await client.deploy(buildDeploy(request, key))).toBe("3045ab");
      expect(node.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "GET /api/blocks/3",
        "POST /api/deploy",
      ]);
      expect(node.requests[1]?.body).toContain('"phloLimit":9223372036854775807,"validAfterBlockNumber":-1');
    },
  );
});

test("values come as JavaScript values; a program is sent as it is", async () => {
  const answer = `{"expr":[{"ExprInt":{"data":7}},{"ExprMap":{"data":{"a":{"ExprNil":{}}}}}],"block":${printJson(light)}}`;
  await withNode(
    () => answer,
    async (client, node) => {
      const { values, block } = await client.explore(rholang`new return in { return!(${"ü"}) }`);
      expect(values).toEqual([7n, new Map([["a", null]])]);
      expect(block.blockHash).toBe(light.blockHash);
      await client.explore("Nil", { blockHash: "aa" });
      await client.dataAtNameAtBlock(new RhoUnforgeable("deploy", "3045"), "aa");
      expect(node.requests.map(({ path, body }) => `${path} ${body}`)).toEqual([
        '/api/explore-deploy new return in { return!("ü") }',
        '/api/explore-deploy-by-block-hash {"term":"Nil","blockHash":"aa","usePreStateHash":false}',
        '/api/data-at-name-by-block-hash {"name":{"UnforgDeploy":{"data":"3045"}},"blockHash":"aa","usePreStateHash":false}',
      ]);
    },
  );
});

test.each<[string, FakeAnswer, Partial<ClientError["failure"]>]>([
  [
    "rnode's text",
    { status: 400, text: '"Couldn\'t find block containing deploy with id: aa"' },
    { code: "refused", status: 400, messages: ["Couldn't find block containing deploy with id: aa"] } as never,
  ],
  [
    "the versioned API's list",
    { status: 500, text: '["one","two"]' },
    { code: "refused", status: 500, messages: ["one", "two"] } as never,
  ],
  [
    "a problem",
    {
      status: 400,
      type: "application/problem+json",
      text: '{"type":"about:blank","title":"Bad Request","status":400,"detail":"no","field":"query.x","limit":9007199254740993}',
    },
    {
      code: "refused",
      messages: ["no"],
      problem: {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        detail: "no",
        field: "query.x",
        more: { limit: 9_007_199_254_740_993n },
      },
    } as never,
  ],
  ["no such route", { status: 404, type: "text/plain", text: "Not found" }, { code: "notOffered" }],
  ["a page", { type: "text/html", text: "<html>" }, { code: "notUnderstood" }],
  [
    "another shape",
    { text: '{"blockHash":1}' },
    { code: "notUnderstood", reason: "blockHash must be a text" } as never,
  ],
  ["nothing", { text: "" }, { code: "notUnderstood" }],
  ["a page of a proxy", { status: 403, type: "text/html", text: "<html>" }, { code: "notUnderstood" }],
])("%s is a failure of its own kind", async (_name, answer, expected) => {
  await withNode(
    () => answer,
    async (client) => {
      expect(await failureOf(client.findDeploy("aa"))).toMatchObject(expected);
    },
  );
});

test("a deploy that no block holds is known by the node's words", async () => {
  const text = '"Couldn\'t find block containing deploy with id: aa"';
  const error = await withNode(
    () => ({ status: 400, text }),
    (client) => client.findDeploy("aa").catch((reason: unknown) => reason),
  );
  expect(isUnknownDeploy(error)).toBe(true);
});

test("a passing failure is retried, as often as configured; a final refusal is not", async () => {
  const notYet = '"Error: Could not get block, casper instance was not available yet."';
  let asked = 0;
  await withNode(
    () => (++asked < 3 ? { status: 400, text: notYet } : { text: "true" }),
    async (client) => expect(await client.isFinalized("aa")).toBe(true),
  );
  for (const [answer, tries] of [
    [{ status: 400, text: notYet }, 3],
    [{ status: 503, text: '"busy"' }, 3],
    [{ status: 408, text: "<h1>408 Request Time-out</h1>", headers: { "content-type": "text/html" } }, 3],
    [{ status: 429, text: '"slower"', headers: { "retry-after": "0" } }, 3],
    [{ status: 400, text: '"no"' }, 1],
    [{ status: 500, text: '["no"]' }, 1],
  ] as const) {
    await withNode(
      () => answer,
      async (client, node) => {
        expect((await failureOf(client.isFinalized("aa"))).code).toBe("refused");
        expect(node.requests.length).toBe(tries);
      },
    );
  }
});

test("when one node fails the next gets the request, and is first from then on", async () => {
  await using broken = await FakeHttpNode.start(() => (response) => response.destroy());
  await using good = await FakeHttpNode.start(() => "true");
  const gone = await FakeHttpNode.start(() => "true");
  await gone[Symbol.asyncDispose]();
  const client = new HttpClient({ url: [gone.url, broken.url, good.url], ...quick });
  expect(await client.isFinalized("aa")).toBe(true);
  expect(await client.isFinalized("aa")).toBe(true);
  expect([broken.requests.length, good.requests.length]).toEqual([1, 2]);
  expect(client.connection.url).toBe(good.url);
});

test("a proposal is requested once, after any failure", async () => {
  const { proposeRoute } = await import("@vedette/api");
  await withNode(
    () => (response) => response.destroy(),
    async (client, node) => {
      expect((await failureOf(client.call(proposeRoute))).code).toBe("unreachable");
      expect(node.requests.length).toBe(1);
    },
  );
});

test("a node that sends nothing, or does not end, is given up; an answer without end is cut", async () => {
  const silent = () => {};
  const endless = (response: { write(text: string): boolean; on(event: string, run: () => void): void }) => {
    const more = () => {
      while (response.write(" ".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  };
  const slow = (response: { write(text: string): boolean }) => void response.write("[");
  const given = { timeoutMs: 50, retries: 0, maxAnswerBytes: 100_000 };
  await withNode(
    () => silent,
    async (client) => expect((await failureOf(client.newestBlocks())).code).toBe("timedOut"),
    given,
  );
  await withNode(
    () => slow,
    async (client) => expect((await failureOf(client.newestBlocks())).code).toBe("timedOut"),
    given,
  );
  await withNode(
    () => endless as never,
    async (client) => expect((await failureOf(client.newestBlocks())).code).toBe("tooLarge"),
    { ...given, timeoutMs: 3_600_000 },
  );
});

test("a caller ends a call at any time", async () => {
  const controller = new AbortController();
  await withNode(
    () => () => controller.abort(),
    async (client) => {
      expect((await failureOf(client.newestBlocks({ signal: controller.signal }))).code).toBe("cancelled");
      expect((await failureOf(client.newestBlocks({ signal: controller.signal }))).code).toBe("cancelled");
    },
  );
  const later = new AbortController();
  const pausing = withNode(
    () => {
      setTimeout(() => later.abort(), 5);
      return { status: 503, text: '"busy"' };
    },
    (client) => failureOf(client.newestBlocks({ signal: later.signal })),
    { retryPauseMs: 60_000 },
  );
  expect((await pausing).code).toBe("cancelled");
});

test("nothing that is put into a path leads to another route", async () => {
  await withNode(
    () => "true",
    async (client, node) => {
      for (const hash of ["", ".", ".."]) expect((await failureOf(client.isFinalized(hash))).code).toBe("badArgument");
      await client.isFinalized("../block?x#y");
      expect(node.requests.map(({ path }) => path)).toEqual(["/api/is-finalized/..%2Fblock%3Fx%23y"]);
    },
  );
  for (const url of ["", "node:40403", "ftp://node", "http://node?x=1", []])
    expect(() => new HttpClient({ url })).toThrow(ClientError);
});

test("a node behind a path and routes without a method of their own", async () => {
  await using node = await FakeHttpNode.start(() => printJson([light]));
  const client = new HttpClient({ url: `${node.url}/observer/`, headers: { "x-key": "k" } });
  const [block] = await client.call(apiV1BlocksRoute);
  expect(block?.blockNumber).toBe(light.blockNumber);
  expect(node.requests[0]).toMatchObject({ path: "/observer/api/v1/blocks", headers: { "x-key": "k" } });
});

test("the status of a node without syncStatus is read, too", async () => {
  const facts = {
    address: "rnode://a",
    networkId: "n",
    shardId: "root",
    peers: 0,
    nodes: 0,
    minPhloPrice: 1,
    peerList: [],
  };
  const status = { version: { api: "1", node: "RChain Node" }, ...facts };
  await withNode(
    ({ path }) => JSON.stringify(path === "/status" ? { ...facts, version: "RChain Node" } : status),
    async (client) => {
      expect((await client.apiStatus()).syncStatus).toBeUndefined();
      expect((await client.apiStatus()).minPhloPrice).toBe(1n);
      expect((await client.status()).version).toBe("RChain Node");
    },
  );
});

test("readiness is an answer, also when it is no", async () => {
  const sync = { status: "notReady", syncStatus: {} };
  await withNode(
    () => ({ status: 503, text: JSON.stringify(sync) }),
    async (client, node) => {
      expect(await client.isReady()).toBe(false);
      expect(node.requests.length).toBe(1);
    },
  );
});

test.each([301, 302, 303, 307, 308])("a node that sends a call on with %i is not followed", async (status) => {
  await using other = await FakeHttpNode.start(() => "{}");
  const headers = { location: `${other.url.replace("//", "//ada:secret@")}/status` };
  await withNode(
    () => ({ status, text: "", headers }),
    async (client) => {
      const failure = await failureOf(client.status());
      expect(failure).toMatchObject({
        code: "notUnderstood",
        reason: `it sends the call on to ${other.url}/status, which is not followed; give that address where you trust it`,
      });
    },
  );
  expect(other.requests).toEqual([]);
});

test("the login is in the header, and in no message", async () => {
  await using node = await FakeHttpNode.start(() => ({ status: 418, type: "text/plain", text: "" }));
  const login = (url: string) => url.replace("//", "//ada:s%C3%A9cret@");
  const error = await new HttpClient({ url: login(node.url), ...quick }).status().catch(String);
  expect(error).toContain(`from ${node.url}`);
  expect(node.requests[0]!.headers.authorization).toBe(`Basic ${Buffer.from("ada:sécret").toString("base64")}`);
  expect(() => new HttpClient(`${login(node.url)}?x=1`)).toThrow(`"${node.url}?x=1" is none`);
});

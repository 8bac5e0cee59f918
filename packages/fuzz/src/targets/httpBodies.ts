import { signedDeploy, testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { createAdminServer, createHttpServer } from "@vedette/server";
import { must } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const queries = node.queries({ publicKey: testKey("v1").publicKey, isReporting: true });
/** What the servers did not expect: they log it with its stack, and answer less. */
const unexpected: string[] = [];
const log = ({ text, more = [] }: { readonly text: string; readonly more?: readonly string[] }) => {
  if (more.length > 0) unexpected.push([text, ...more].join("\n"));
};
const servers = {
  public: createHttpServer({ queries, metrics: async () => "", isReporting: true }, { log }),
  admin: createAdminServer(queries, { log }),
};

/** Nothing to propose, no state to read. */
const meant = new Set([501, 503]);

/**
 * The first line is method and path, the second what kind of body it is; the rest is the body. Handed to the real
 * servers without a socket.
 */
export const httpBodies = textTarget({
  name: "http-bodies",
  about: "no request makes the HTTP servers fail: no 500, no stack trace, JSON where JSON is said",
  cost: "dear",
  files: ["server/http/", "queries/", "api/http/", "api/json/", "api/value/", "!api/generated/"],
  words: [
    ...[
      "GET ",
      "POST ",
      "ADMIN ",
      "/api/v1",
      "/api",
      "/v2",
      "?",
      "&",
      "=",
      "%2F",
      "\n",
      "\napplication/json\n",
      "null",
    ],
    ...['"', "{", "}", "[", "]", ":", ",", "1e400", "-1", "9223372036854775808", '"data":', '"term":', '"deployer":'],
    ...["/status", "/blocks/", "/block/", "/deploy", "/explore-deploy", "/data-at-name", "/prepare-deploy", "/propose"],
    ...[
      "limit=",
      "cursor=",
      "from=",
      "to=",
      "/balances/",
      "/transfers",
      "/deploys",
      "/states/",
      "/explorations",
      "../",
    ],
    ...[
      hashes.genesis,
      hashes.top,
      "\\u0000",
      '"\\ud800"',
      '"__proto__":',
      '"ExprInt":',
      '"ExprMap":',
      '"UnforgPrivate":',
    ],
  ],
  texts: exampleRequests,
  mostBytes: 1_200,
  check: async (text) => {
    const [head = "", contentType = "", ...rest] = text.split("\n");
    const [, method, path] = /^(GET|POST|ADMIN) *(\S*)/.exec(head) ?? [];
    if (method === undefined) return;
    const server = method === "ADMIN" ? servers.admin : servers.public;
    const body = rest.join("\n");
    const url = `/${(path ?? "").replace(/^\/+/, "")}`;
    // What the client of the test cannot ask for.
    if (!URL.canParse(url, "http://localhost")) return;
    const request = {
      method: method === "GET" ? ("GET" as const) : ("POST" as const),
      url,
      headers: /^[\w/;= +.-]+$/.test(contentType) ? { "content-type": contentType } : {},
    };
    const hasBody = method !== "GET" && body !== "";
    const answer = await server.inject(hasBody ? { ...request, payload: body } : request);
    const { statusCode, payload } = answer;
    const [failure] = unexpected.splice(0);
    must(failure === undefined, () => `a handler failed: ${failure}`);
    // 50 §1.10: the versioned routes answer a client's errors so.
    const isMeant = statusCode < 500 || meant.has(statusCode) || (statusCode === 500 && url.includes("v1/"));
    must(isMeant, () => `status ${statusCode}: ${payload.slice(0, 300)}`);
    must(!/\n\s+at .*:\d+/.test(payload), "no stack trace is shown");
    const type = String(answer.headers["content-type"] ?? "");
    if (type.includes("json") && payload !== "") JSON.parse(payload);
  },
});

function exampleRequests(): string[] {
  const json = "application/json";
  const deploy = signedDeploy({ term: "new x in { x!(1) }" });
  const data = {
    term: deploy.term,
    timestamp: Number(deploy.timestamp),
    phloPrice: 1,
    phloLimit: "1000",
    validAfterBlockNumber: 0,
    shardId: "root",
  };
  const signed = {
    data,
    deployer: toHex(deploy.deployer),
    signature: toHex(deploy.signature),
    sigAlgorithm: "secp256k1",
  };
  const name = { UnforgPrivate: { data: "01ff" } };
  const gets = [
    "/status",
    "/api/blocks",
    "/api/blocks/3",
    "/blocks/0/9",
    `/block/${hashes.top}`,
    "/last-finalized-block",
  ];
  const more = [
    `/deploy/${signed.signature}`,
    `/is-finalized/${hashes.top}`,
    `/transactions/${hashes.top}`,
    "/prepare-deploy",
  ];
  return [
    ...[...gets, ...more, "/metrics", "/health", "/openapi.json", "/api/v1/status", "/api/v2/blocks?limit=3"].map(
      (path) => `GET ${path}`,
    ),
    `POST /api/deploy\n${json}\n${JSON.stringify(signed)}`,
    `POST /api/explore-deploy\n\nnew r in { r!(1) }`,
    `POST /api/explore-deploy-by-block-hash\n${json}\n${JSON.stringify({ term: "Nil", blockHash: hashes.top, usePreStateHash: false })}`,
    `POST /api/data-at-name\n${json}\n${JSON.stringify({ name, depth: 3 })}`,
    `POST /api/data-at-name-by-block-hash\n${json}\n${JSON.stringify({ name, blockHash: hashes.top, usePreStateHash: true })}`,
    `POST /api/prepare-deploy\n${json}\n${JSON.stringify({ deployer: signed.deployer, timestamp: 1, nameQty: 3 })}`,
    `POST /api/estimate-cost\n${json}\n${JSON.stringify({ term: "@0!(1)" })}`,
    ...["data", "continuations", "joins"].flatMap((kind) => [
      `GET /v2/state/${hashes.top}/${kind}?name=a&private=00ff&limit=3&proof=true&anchor=block`,
      `POST /v2/state/finalized/${kind}\n${json}\n${JSON.stringify({ names: [{ par: "2a021000" }, { vault: "1111" }], bytes: true, state: "pre" })}`,
    ]),
    `POST /v2/explore\n${json}\n${JSON.stringify({ term: "new r in { r!([1, {}, Set()]) }", block: hashes.top, phloLimit: "1000", timeoutMs: 100, memoryMb: 16 })}`,
    `POST /v2/balances\n${json}\n${JSON.stringify({ addresses: ["1111"], block: "finalized" })}`,
    `GET /v2/deploys?deployer=${signed.deployer}&limit=3&cursor=00`,
    "GET /v2/transfers?address=1111&limit=3",
    `GET /v2/deploy/${signed.signature}`,
    `GET /api/v1/block/${hashes.top}`,
    `GET /deploy-finalization-status/${signed.signature}`,
    `GET /reporting/trace?blockHash=${hashes.top}&forceReplay=true`,
    "GET /prepare-deploy?deployer=00&timestamp=1&nameQty=1",
    `POST /api/v1/deploy\n${json}\n${JSON.stringify(signed)}`,
    `ADMIN /api/propose\n\n`,
    `ADMIN /api/trace\n${json}\n${JSON.stringify({ blockHash: hashes.top })}`,
  ];
}

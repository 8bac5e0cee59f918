import { signedDeploy, testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { createAdminServer, createHttpServer, insertBlocks, TestQueries } from "@vedette/node/testing";
import { must } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
const queries = node.queries({ publicKey: testKey("v1").publicKey, isReporting: true });
const servers = {
  public: createHttpServer({ queries, metrics: async () => "", isReporting: true }),
  admin: createAdminServer(queries),
};

/** What a server tells when it is not its client's fault, and is meant: nothing to propose, no state to read. */
const meant = new Set([501, 503]);

/**
 * The first line is method and path, the second what kind of body it is; the rest is the body. Handed to the real
 * servers without a socket.
 */
export const httpBodies = textTarget({
  name: "http-bodies",
  about: "no request makes the HTTP servers fail: no 500, no stack trace, JSON where JSON is said",
  cost: "dear",
  files: ["node/http/", "node/query/", "api/http/", "api/json/", "api/value/", "!api/generated/"],
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
    const answer = await server.inject({
      method: method === "GET" ? "GET" : "POST",
      url: `/${(path ?? "").replace(/^\/+/, "")}`,
      ...(method === "GET" || body === "" ? {} : { payload: body }),
      headers: /^[\w/;= +.-]+$/.test(contentType) ? { "content-type": contentType } : {},
    });
    const { statusCode, payload } = answer;
    must(statusCode < 500 || meant.has(statusCode), () => `status ${statusCode}: ${payload.slice(0, 300)}`);
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
    "ADMIN /api/propose\n\n",
    `ADMIN /api/trace\n${json}\n${JSON.stringify({ blockHash: hashes.top })}`,
  ];
}

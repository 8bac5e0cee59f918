import { signedDeploy } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import { type Hashes, httpBodiesOf } from "./servedBodies.js";

export const httpBodies = httpBodiesOf({
  name: "http-bodies",
  about: "no request makes the HTTP servers fail: no 500, no stack trace, JSON where the type states JSON",
  files: ["server/http/", "queries/", "api/http/", "api/json/", "api/value/", "!api/generated/"],
  node: TestQueries.empty(),
  words: ["/data-at-name", '"UnforgPrivate":'],
  texts: exampleRequests,
  failsVersioned: true,
});

function exampleRequests(hashes: Hashes): string[] {
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
    `OBSERVER POST /api/explore-deploy\n\nnew r in { r!(1) }`,
    `OBSERVER POST /v2/explore\n${json}\n${JSON.stringify({ term: "Nil", block: "latest", state: "pre" })}`,
    `OBSERVER GET /v2/deploy/${signed.signature}/trace`,
    `ADMIN /api/propose\n\n`,
    `ADMIN /api/trace\n${json}\n${JSON.stringify({ blockHash: hashes.top })}`,
  ];
}

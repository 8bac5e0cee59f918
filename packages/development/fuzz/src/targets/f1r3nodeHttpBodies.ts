import { signedDeploy } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import { type Hashes, httpBodiesOf } from "./servedBodies.js";

/** @spec 50 §10 */
export const f1r3nodeHttpBodies = httpBodiesOf({
  name: "f1r3node-http-bodies",
  about: "no request makes the HTTP servers of an f1r3node node fail",
  files: [
    "server/http/f1r3node/",
    "server/http/conventions/",
    "queries/block/",
    "queries/dialect/",
    "api/http/f1r3node/",
  ],
  node: TestQueries.emptyF1r3node(),
  words: [
    ...["/validators", "/validator/", "/bond-status/", "/epoch", "/rewards", "/registry/", "/balance/", "view=full"],
    ...[
      "/data-at-name",
      "block_hash=",
      "view=summary",
      '"blockHash":',
      '"usePreStateHash":',
      '"signature":',
      '"ExprTuple":',
    ],
  ],
  texts: exampleRequests,
});

function exampleRequests({ genesis, top }: Hashes): string[] {
  const json = "application/json";
  const { term, timestamp, deployer, signature } = signedDeploy({ term: "new x in { x!(1) }" });
  const data = {
    term,
    timestamp: Number(timestamp),
    phloPrice: 1,
    phloLimit: 1000,
    validAfterBlockNumber: 0,
    shardId: "root",
  };
  const signed = { data, deployer: toHex(deployer), signature: toHex(signature), sigAlgorithm: "secp256k1" };
  const gets = [
    ...["status", "blocks", "blocks/3?view=full", "blocks/0/9", `block/${top}?view=summary`, "last-finalized-block"],
    ...[`is-finalized/${top}`, "validators", `validators?block_hash=${genesis}`, `validator/${signed.deployer}`],
    ...[
      `bond-status/${signed.deployer}`,
      "epoch",
      "epoch/rewards",
      "registry/rho:system:pos",
      "balance/1111?block_hash=00",
    ],
    ...[`deploy/${signed.signature}?view=summary`, "prepare-deploy", `transactions/${top}`, `trace?blockHash=${top}`],
    ...["v1/status", "v1/blocks", `v1/block/${top}`, `deploy-finalization-status/${signed.signature}`],
  ].map((path) => `GET /api/${path}`);
  const post = (path: string, body: unknown) => `POST ${path}\n${json}\n${JSON.stringify(body)}`;
  return [
    ...gets,
    ...gets.map((text) => `OBSERVER ${text}`),
    post("/api/deploy", signed),
    post("/api/v1/deploy", { ...signed, data: { ...data, expirationTimestamp: 5 } }),
    `OBSERVER ${post("/api/explore-deploy", { term })}`,
    `OBSERVER ${post("/api/v1/explore-deploy", { term })}`,
    `OBSERVER ${post("/api/explore-deploy-by-block-hash", { term, blockHash: top, usePreStateHash: true })}`,
    `OBSERVER ${post("/api/estimate-cost?block_hash=00", { term: "@0!(1)", deployer: signed.deployer })}`,
    post("/api/data-at-name-by-block-hash", {
      name: { UnforgPrivate: { data: "01ff" } },
      blockHash: top,
      usePreStateHash: true,
    }),
    post("/api/prepare-deploy", { deployer: signed.deployer, timestamp: 1, nameQty: 3 }),
    "GET /openapi.json",
    "ADMIN /api/propose\n\n",
    `ADMIN /api/v1/propose\n${json}\n{}`,
  ];
}

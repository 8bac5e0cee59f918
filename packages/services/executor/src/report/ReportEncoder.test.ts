import { toBinary } from "@bufbuild/protobuf";
import { DeployInfoSchema, deployMessage } from "@vedette/api/grpc";
import type { ProcessedDeploy } from "@vedette/protocol";
import fc from "fast-check";
import { test } from "vitest";
import { deployInfoBytes } from "./ReportEncoder.js";

const bytes = fc.uint8Array({ maxLength: 70 });
const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -2n, max: 300n }));
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "é\u{1f600}"));
const deploy = fc.record({
  deployer: bytes,
  term: text,
  timestamp: int64,
  signature: bytes,
  algorithm: fc.constantFrom("secp256k1" as const, "secp256k1:eth" as const),
  phloPrice: int64,
  phloLimit: int64,
  validAfterBlockNumber: int64,
  shardId: text,
});
const processed = fc.record({
  deploy,
  cost: int64,
  failed: fc.boolean(),
  systemDeployError: text,
  log: fc.constant([]),
});

test("a deploy of a report has the bytes of the API's message", () => {
  fc.assert(
    fc.property(processed, (one) => {
      const info = deployInfoBytes(one as ProcessedDeploy);
      return Buffer.compare(info, toBinary(DeployInfoSchema, deployMessage(one as ProcessedDeploy))) === 0;
    }),
  );
});

import { fromHex, secp256k1PublicKeyOf } from "@vedette/crypto";
import { rnode, signDeploy } from "@vedette/protocol";
import { expect, test } from "vitest";
import { DeployIntake } from "./DeployIntake.js";

const privateKey = fromHex("11".repeat(32));
const key = { algorithm: "secp256k1", privateKey, publicKey: secp256k1PublicKeyOf(privateKey) } as const;
const deploy = signDeploy(
  {
    ...{ term: "Nil", timestamp: 1n, phloPrice: 1n, phloLimit: 1_000n, validAfterBlockNumber: 0n, shardId: "root" },
  },
  key,
);
const texts = { unknownAlgorithm: "unknown", invalidSignature: "invalid" };

test("a deploy that cannot be kept now is refused for now, with the reason, and is not tried", async () => {
  let wait: string | undefined = "the disk has 1.0 MB free";
  const kept: unknown[] = [];
  const intake = new DeployIntake({
    port: {
      check: () => undefined,
      whyNotNow: () => wait,
      submit: async (one) => {
        kept.push(one);
        return undefined;
      },
    },
    isRunning: () => true,
    checkTerm: async () => undefined,
    signatureRules: rnode.signatureRules,
  });
  const submit = () => intake.submit(deploy, { client: undefined, texts });
  await expect(submit()).rejects.toMatchObject({
    message: "Error: Could not deploy, the disk has 1.0 MB free.",
    reason: "notRunning",
  });
  expect(kept).toEqual([]);
  wait = undefined;
  await expect(submit()).resolves.toContain("DeployId is: ");
  expect(kept).toHaveLength(1);
});

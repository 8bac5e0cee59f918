import { fromHex, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { buildDeploy, validAfterLatest } from "./buildDeploy.js";
import { DeployError } from "./DeployError.js";
import { addressOfKey, deployKeyOf } from "./deployKey.js";
import { checkDeploySignature } from "./signDeployWith.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const key = deployKeyOf(privateKey);
const request = { term: "new x in { x!(0) }", timestamp: 1_600_000_000_000n, validAfterBlockNumber: -1n };

test("the deploy of chapter 10 §10 has its signature", () => {
  const deploy = buildDeploy({ ...request, phloLimit: 100_000n }, key);
  expect(toHex(deploy.signature)).toBe(
    "3045022100f75674ba3c694830c69dcdf254865f62b4dd75800a8db536ab46e71c6e0f36f20220357a07686ab0b89ab9e9e7a230a59e31fa6c612e6a8607660f39db738dbdca17",
  );
});

test("what the user leaves out is what wallets send", () => {
  const deploy = buildDeploy({ ...request, phloLimit: undefined }, key);
  expect(deploy).toMatchObject({ phloLimit: 500_000n, phloPrice: 1n, shardId: "root" });
  expect(checkDeploySignature(deploy, "rnode")).toBe(true);
  expect(validAfterLatest(17n)).toBe(16n);
  expect(validAfterLatest(0n)).toBe(-1n);
});

test("a deploy that no node takes is not built", () => {
  for (const wrong of [
    { term: " \n" },
    { phloLimit: 0n },
    { phloLimit: 2n ** 63n },
    { phloPrice: -1n },
    { validAfterBlockNumber: -2n },
    { timestamp: -1n },
  ]) {
    expect(() => buildDeploy({ ...request, ...wrong }, key)).toThrow(DeployError);
  }
});

test("what is no private key is refused without being repeated", () => {
  for (const bytes of [
    new Uint8Array(32),
    new Uint8Array(32).fill(0xff),
    new Uint8Array(31).fill(1),
    new Uint8Array(33).fill(1),
  ]) {
    expect(() => deployKeyOf(bytes)).toThrow(/^invalid private key: expected 64 hex digits/);
  }
});

test("the address of chapter 41 §12.3 comes from a public key", () => {
  const publicKey = fromHex(
    "04f700a417754b775d95421973bdbdadb2d23c8a5af46f1829b1431f5c136e549e8a0d61aa0c793f1a614f8e437711c7758473c6ceb0859ac7e9e07911ca66b5c4",
  );
  expect(addressOfKey({ ...key, publicKey })).toBe("11112VYAt8rUGNRRZX3eJdgagaAhtWTK8Js7F7X5iqddMVqyDTtYau");
});

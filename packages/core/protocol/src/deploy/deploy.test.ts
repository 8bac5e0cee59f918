import { fromHex, secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import { rnode } from "../dialect/rnode.js";
import { decodeDeploy, encodeDeploy, signedBytesOfDeploy } from "./deployCodec.js";
import { checkDeploySignature, signDeploy } from "./deploySignature.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const publicKey = secp256k1PublicKeyOf(privateKey);
const unsigned = {
  term: "new x in { x!(0) }",
  timestamp: 1600000000000n,
  phloPrice: 1n,
  phloLimit: 100000n,
  validAfterBlockNumber: -1n,
  shardId: "root",
};

describe("the deploy of chapter 10 §10", () => {
  test("has these signed bytes", () => {
    expect(toHex(signedBytesOfDeploy(unsigned))).toBe(
      "12126e6577207820696e207b207821283029207d188080babbc82e380140a08d0650ffffffffffffffffff015a04726f6f74",
    );
  });

  test("has these signatures", () => {
    const plain = signDeploy(unsigned, { algorithm: "secp256k1", privateKey, publicKey });
    const eth = signDeploy(unsigned, { algorithm: "secp256k1:eth", privateKey, publicKey });
    expect(toHex(plain.signature)).toBe(
      "3045022100f75674ba3c694830c69dcdf254865f62b4dd75800a8db536ab46e71c6e0f36f20220357a07686ab0b89ab9e9e7a230a59e31fa6c612e6a8607660f39db738dbdca17",
    );
    expect(toHex(eth.signature)).toBe(
      "5c0051f6f4ef328b9aef046037b77ed842f54a436cec63c5ce77790f3fc9b72d00b30f905e592204fba92837990f634750c7d2478d28bf0f4996d4e4aed30a1c",
    );
    expect(checkDeploySignature(plain, rnode)).toBe(true);
    expect(checkDeploySignature(eth, rnode)).toBe(true);
    expect(checkDeploySignature({ ...plain, phloLimit: 100001n }, rnode)).toBe(false);
    expect(checkDeploySignature({ ...plain, algorithm: "secp256k1:eth" }, rnode)).toBe(false);
    expect(checkDeploySignature({ ...plain, signature: new Uint8Array(0) }, rnode)).toBe(false);
    expect(checkDeploySignature({ ...plain, deployer: new Uint8Array(3) }, rnode)).toBe(false);
  });

  test("keeps its fields on the wire; the algorithm's name becomes lower case", () => {
    const deploy = signDeploy(unsigned, { algorithm: "secp256k1", privateKey, publicKey });
    const wire = encodeDeploy(deploy, rnode.blockForm);
    expect(decodeDeploy(wire, rnode.blockForm)).toEqual(deploy);
    const upper = Buffer.from(wire);
    upper.write("SECP256K1", upper.indexOf("secp256k1"));
    expect(decodeDeploy(upper, rnode.blockForm)).toEqual(deploy);
  });
});

import { describe, expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { blake2b256 } from "../hash/blake2b256.js";
import { sha256 } from "../hash/sha256.js";
import {
  checkSignature,
  findDeploySignatureAlgorithm,
  type SignatureAlgorithm,
  signHash,
  signingHash,
  verifySignature,
} from "./algorithms.js";
import { secp256k1PublicKeyOf } from "./secp256k1.js";
import { isNativeSecp256k1 } from "./secp256k1Backend.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const publicKey = fromHex(
  "04c591a8ff19ac9c4e4e5793673b83123437e975285e7b442f4ee2654dffca5e2d2103ed494718c697ac9aebcfd19612e224db46661011863ed2fc54e71861e2a6",
);
const deployBytes = fromHex(
  "12126e6577207820696e207b207821283029207d188080babbc82e380140a08d0650ffffffffffffffffff015a04726f6f74",
);
const posKey = fromHex(
  "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f",
);

const verify = (
  algorithm: SignatureAlgorithm,
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
  // A signature that the older node makes is valid for both.
) =>
  (["rnode", "f1r3node"] as const).every((rules) =>
    verifySignature(rules, algorithm, { message, signature, publicKey }),
  );

const hasPrebuilt = process.platform === "linux" && process.arch === "x64";
if (hasPrebuilt)
  test("the native addon is in use", () => {
    expect(isNativeSecp256k1).toBe(true);
  });

describe("rnode's signatures", () => {
  test("a private key's public key and its signature", () => {
    const hash = sha256(new TextEncoder().encode("testing"));
    const signature =
      "30440220182a108e1448dc8f1fb467d06a0f3bb8ea0533584cb954ef8da112f1d60e39a202201c66f36da211c087f3af88b50edf4f9bdaa6cf5fd6817e74dca34db12390c6e9";
    expect(secp256k1PublicKeyOf(privateKey)).toEqual(publicKey);
    expect(toHex(signHash("secp256k1", hash, privateKey))).toBe(signature);
    expect(verify("secp256k1", hash, fromHex(signature), publicKey)).toBe(true);
  });

  test.each<[SignatureAlgorithm & ("secp256k1" | "secp256k1:eth"), string, string]>([
    [
      "secp256k1",
      "06a20923bc3ed53e1f22a44537a256dc2156a53c4fc36cd4f53c2e7b8193e702",
      "3045022100f75674ba3c694830c69dcdf254865f62b4dd75800a8db536ab46e71c6e0f36f20220357a07686ab0b89ab9e9e7a230a59e31fa6c612e6a8607660f39db738dbdca17",
    ],
    [
      "secp256k1:eth",
      "ef924d3086b3829ddb9ccbbb53253297196f2ec914b302621e43d2271536103c",
      "5c0051f6f4ef328b9aef046037b77ed842f54a436cec63c5ce77790f3fc9b72d00b30f905e592204fba92837990f634750c7d2478d28bf0f4996d4e4aed30a1c",
    ],
  ])("a deploy signed with %s", (algorithm, hashHex, signatureHex) => {
    const hash = signingHash(algorithm, deployBytes);
    expect(toHex(hash)).toBe(hashHex);
    expect(toHex(signHash(algorithm, hash, privateKey))).toBe(signatureHex);
    expect(verify(algorithm, hash, fromHex(signatureHex), publicKey)).toBe(true);
    expect(verify(algorithm, sha256(hash), fromHex(signatureHex), publicKey)).toBe(false);
  });

  test.each([
    [
      "5a0bde2f5857124b1379c78535b07a278e3b9cefbcacc02e62ab3294c02765a1",
      "045f6bf025bbf22360b15cbfab30383863b7fc8d47fea0314b03d42e82e45b57f38211385354e12b9ba54de2a8dc4fd986ff6487a8496453d8b7085a4becd5ea51",
    ],
    [
      "867c21c6a3245865444d80e49cac08a1c11e23b35965b566bbe9f49bb9897511",
      "040126690519dc9b0f52876cb13458e15697794dd87d7c6477707c7efa4cce8a36b634eab5056bd4e3ba385ab14a638e4ac7d3b3e4968da3d66933fc04bc7038b5",
    ],
    [
      "27e5718bf55dd673cc09f13c2bcf12ed7949b178aef5dcb6cd492ad422d05e9d",
      "040f035630a5d2199184890b4b6b83440c842da0b6becca539f788f7b35d6e873561f673cd6ebe2e32236398a86f29dad992e8fba32534734300fcc5104bcfea0e",
    ],
    [
      "a9585a0687761139ab3587a4938fb5ab9fcba675c79fefba889859674046d4a5",
      "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f",
    ],
  ])("the public key of the genesis deploys' key %s", (secret, point) => {
    expect(toHex(secp256k1PublicKeyOf(fromHex(secret)))).toBe(point);
  });

  test("the registration of the PoS contract", () => {
    const tuple = concatBytes(
      fromHex("2a65aa01620a092a0710d6c0b7cfe05a0a462a44ca0141"),
      posKey,
      fromHex("0a0d2a0b10feffffffffffffffff01"),
    );
    const signature = fromHex(
      "3045022100cd1a32e04e21deb1bb3cd108cb0a3ab1357495f6ad99dfeb08eb17eaa082d388022015a9c5f9cd3b489a1fe3e359dbfe791ddd7d66e8a9a1dfb4978c980128c53f69",
    );
    expect(verify("secp256k1", blake2b256(tuple), signature, posKey)).toBe(true);
  });

  test("an Ed25519 signature", () => {
    const message = fromHex(
      "916c7d1d268fc0e77c1bef238432573c39be577bbea0998936add2b50a653171ce18a542b0b7f96c1691a3be6031522894a8634183eda38798a0c5d5d79fbd01dd04a8646d71873b77b221998a81922d8105f892316369d5224c9983372d2313c6b1f4556ea26ba49d46e8b561e0fc76633ac9766e68e21fba7edca93c4c7460376d7f3ac22ff372c18f613f2ae2e856af40",
    );
    const signature = fromHex(
      "6bd710a368c1249923fc7a1610747403040f0cc30815a00f9ff548a896bbda0b4eb2ca19ebcf917f0f34200a9edbad3901b64ab09cc5ef7b9bcc3c40c0ff7509",
    );
    const key = fromHex("77f48b59caeda77751ed138b0ec667ff50f8768c25d48309a8f386a2bad187fb");
    expect(checkSignature("rnode", "ed25519", { message: message, signature: signature, publicKey: key })).toBe(
      "valid",
    );
    expect(
      checkSignature("rnode", "ed25519", { message: message.subarray(1), signature: signature, publicKey: key }),
    ).toBe("invalid");
    expect(
      checkSignature("rnode", "ed25519", { message: message, signature: signature.subarray(1), publicKey: key }),
    ).toBe("malformed");
    expect(
      checkSignature("rnode", "ed25519", { message: message, signature: signature, publicKey: concatBytes(key, key) }),
    ).toBe("malformed");
  });
});

test("a deploy's algorithm is known in either case, and Ed25519 is not among them", () => {
  expect(findDeploySignatureAlgorithm("SECP256K1")).toBe("secp256k1");
  expect(findDeploySignatureAlgorithm("secp256k1:ETH")).toBe("secp256k1:eth");
  expect(findDeploySignatureAlgorithm("ed25519")).toBeUndefined();
  expect(findDeploySignatureAlgorithm("")).toBeUndefined();
});

test("what cannot be signed is refused, without a word of the key", () => {
  const hash = new Uint8Array(32);
  expect(() => signHash("secp256k1", hash, new Uint8Array(32))).toThrowErrorMatchingInlineSnapshot(
    `[SignatureError: The 32 bytes are no private key: it has 32 bytes and is less than the curve's order]`,
  );
  expect(() => signHash("secp256k1:eth", hash, privateKey.subarray(1))).toThrow("The 31 bytes are no private key");
  expect(() => signHash("secp256k1", new Uint8Array(31), privateKey)).toThrowErrorMatchingInlineSnapshot(
    `[SignatureError: Only a hash of 32 bytes can be signed, not 31 bytes]`,
  );
  expect(() => signHash("ed25519", hash, privateKey)).toThrowErrorMatchingInlineSnapshot(
    `[SignatureError: Signing with ed25519 is not supported]`,
  );
});

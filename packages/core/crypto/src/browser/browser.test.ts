import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { blake2b256, blake2b256Of } from "../hash/blake2b256.js";
import { createBlake2bCompression } from "../hash/blake2bCompression.js";
import * as whole from "../index.js";
import { solvesEd25519 } from "../signature/ed25519Equation.js";
import * as browser from "./index.js";
import * as plain from "./plainBlake2b256.js";
import { createBlake2bCompression as createPlainCompression } from "./plainBlake2bCompression.js";
import { solvesEd25519 as solvesPlainly } from "./plainEd25519Equation.js";
import { loadSecp256k1Addon } from "./withoutAddon.js";

test("hashes are the same in a browser", () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 5 }), (parts) => {
      expect(plain.blake2b256(concatBytes(...parts))).toEqual(blake2b256(concatBytes(...parts)));
      expect(plain.blake2b256Of(parts)).toEqual(blake2b256Of(parts));
    }),
  );
  plain.blake2b256Input.set([1, 2, 3]);
  expect(plain.blake2b256OfInput(3)).toEqual(blake2b256(Uint8Array.of(1, 2, 3)));
  const large = new Uint8Array(200_000).fill(5);
  expect(plain.blake2b256(large)).toEqual(blake2b256(large));
});

test("what generators of names are made of does the same in a browser, with every parameter", () => {
  const [wasm, js] = [createBlake2bCompression(), createPlainCompression()];
  const seen = ({ memory }: typeof wasm) => new Uint8Array(memory.buffer, 0, 1_024);
  const counters = fc.constantFrom(0n, 1n, 2n ** 32n - 1n, 2n ** 64n - 128n, 2n ** 64n - 1n);
  const counted = fc.constantFrom(0, 1, 127, 128);
  const bytes = fc.uint8Array({ minLength: 1_024, maxLength: 1_024 });
  // States have odd lengths, so that nothing is aligned.
  const chains = fc.nat(80);
  const blocks = fc.integer({ min: 256, max: 800 });
  const calls = fc.tuple(chains, blocks, blocks, counted, fc.nat(3), fc.constantFrom(undefined, 160));
  fc.assert(
    fc.property(bytes, counters, calls, (content, counter, [chain, block, tail, count, flags, out]) => {
      for (const compression of [wasm, js]) {
        seen(compression).set(content);
        new DataView(compression.memory.buffer).setBigUint64(chain + 64, counter, true);
        compression.compress(chain, block, tail, count, flags, out ?? chain);
        compression.absorb(chain, block, 1);
        compression.absorb(0, 256, 3);
      }
      expect(toHex(seen(js))).toBe(toHex(seen(wasm)));
    }),
  );
});

test("Ed25519 gives the same results in a browser", () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(key, fc.uint8Array(), fc.nat(767), fc.boolean(), (secret, message, bit, isChanged) => {
      const all = concatBytes(ed25519.sign(message, secret), ed25519.getPublicKey(secret));
      if (isChanged) all[bit >> 3]! ^= 1 << (bit & 7);
      const [signature, publicKey] = [all.subarray(0, 64), all.subarray(64)];
      expect(solvesPlainly(message, signature, publicKey)).toBe(!isChanged);
      expect(solvesEd25519(message, signature, publicKey)).toBe(!isChanged);
    }),
    { numRuns: 30 },
  );
});

test("a point of order 8 added to R is refused, though the check with the cofactor takes it", () => {
  const torsion = ed25519.Point.fromBytes(fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"));
  const secret = new Uint8Array(32).fill(9);
  const { pointBytes: publicKey, scalar } = ed25519.utils.getExtendedPublicKey(secret);
  const r = ed25519.Point.BASE.multiply(12_345n).add(torsion).toBytes();
  const message = Uint8Array.of(7);
  const order = ed25519.Point.Fn.ORDER;
  const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % order;
  const signature = concatBytes(r, bytesOf((12_345n + k * scalar) % order));
  expect(ed25519.verify(signature, message, publicKey, { zip215: true })).toBe(true);
  expect(solvesEd25519(message, signature, publicKey)).toBe(false);
  expect(solvesPlainly(message, signature, publicKey)).toBe(false);
});

test("a browser has everything but files, certificates, shared states of generators and shared code", () => {
  const missing = Object.keys(whole).filter((name) => !(name in browser));
  expect(missing.sort()).toEqual([
    "IdentityError",
    "KeyFileError",
    "RandomError",
    "SecretFileError",
    "checkNodeIdentity",
    "createNodeCertificate",
    "loadNodeIdentity",
    "nodeIdOfCertificate",
    "nodeIdOfPublicKey",
    "readEncryptedKeyFile",
    "readNodeKey",
    "readPrivateKeyFile",
    "readSecretFile",
    "replaceFile",
    "shareBlake2bCompression",
    "shareRandomStates",
    "writeKeyFiles",
    "writeNewFile",
  ]);
  expect(loadSecp256k1Addon()).toBeUndefined();
});

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function bytesOf(number: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn));
}

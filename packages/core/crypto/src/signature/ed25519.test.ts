import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { fromHex } from "../bytes/hex.js";
import { checkEd25519, checkEd25519Unchecked } from "./ed25519.js";

const message = Uint8Array.of(1, 2, 3);
const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const signature = ed25519.sign(message, secret);

test("a good signature is valid, and any changed bit of it is not", () => {
  expect(checkEd25519(message, signature, publicKey)).toBe("valid");
  for (let bit = 0; bit < 512; bit += 37) {
    const changed = signature.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(checkEd25519(message, changed, publicKey)).toBe("invalid");
  }
});

test("points of small order are refused as key and as R, of either sign", () => {
  for (const text of ED25519_TORSION_SUBGROUP) {
    const point = fromHex(text);
    for (const sign of [0, 0x80]) {
      const signed = point.slice();
      signed[31]! ^= sign;
      // With s = 0 and a key of small order the equation of the check can hold.
      expect(checkEd25519(message, concatBytes(signed, new Uint8Array(32)), signed)).toBe("invalid");
      expect(checkEd25519(message, concatBytes(signed, signature.subarray(32)), publicKey)).toBe("invalid");
    }
  }
});

test("an s that is not below the order is refused", () => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  let s = 0n;
  for (let i = 31; i >= 0; i--) s = (s << 8n) | BigInt(signature[32 + i]!);
  const larger = signature.slice();
  for (let i = 0, rest = s + order; i < 32; i++, rest >>= 8n) larger[32 + i] = Number(rest & 0xffn);
  expect(checkEd25519(message, larger, publicKey)).toBe("invalid");
});

test("a key that is not written in its shortest form, or is no point, is refused", () => {
  expect(checkEd25519(message, signature, fromHex(`f0${"ff".repeat(30)}7f`))).toBe("invalid");
  expect(checkEd25519(message, signature, fromHex(`02${"00".repeat(31)}`))).toBe("invalid");
});

test("f1r3node takes points of small order, where the equation holds, and a key in a longer form", () => {
  const identity = fromHex(`01${"00".repeat(31)}`);
  const longer = fromHex(`ee${"ff".repeat(30)}7f`);
  const trivial = concatBytes(identity, new Uint8Array(32));
  for (const key of [identity, longer]) {
    expect(checkEd25519(message, trivial, key)).toBe("invalid");
    expect(checkEd25519Unchecked(message, trivial, key)).toBe("valid");
  }
  // R is compared as it is written, and the equation gives the shortest form.
  expect(checkEd25519Unchecked(message, concatBytes(longer, new Uint8Array(32)), identity)).toBe("invalid");
  expect(checkEd25519Unchecked(message, signature, publicKey)).toBe("valid");
  expect(checkEd25519Unchecked(message, signature.subarray(1), publicKey)).toBe("invalid");
  expect(checkEd25519Unchecked(message, signature, concatBytes(publicKey, publicKey))).toBe("invalid");
});

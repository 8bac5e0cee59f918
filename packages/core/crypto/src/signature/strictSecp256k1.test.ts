import { expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { fromHex } from "../bytes/hex.js";
import { sha256 } from "../hash/sha256.js";
import { type SignatureRules, signHash, verifySignature } from "./algorithms.js";
import { secp256k1PublicKeyOf } from "./secp256k1.js";

const privateKey = fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530");
const whole = secp256k1PublicKeyOf(privateKey);
const isOdd = whole[64]! % 2 === 1;
const x = whole.subarray(1, 33);
const short = Uint8Array.of(isOdd ? 3 : 2, ...x);
const message = sha256(Uint8Array.of(1));
const numbers = signHash("secp256k1:eth", message, privateKey);
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const [r, s] = [numbers.subarray(0, 32), numbers.subarray(32)];
const highS = bytesOf(curveOrder - BigInt(`0x${Buffer.from(s).toString("hex")}`));

function bytesOf(number: bigint): Uint8Array {
  return fromHex(number.toString(16).padStart(64, "0"));
}

/** An integer as it is written, with a zero in front where it would be negative, and any number of further ones. */
function integer(digits: Uint8Array, { zeros = 0, sign = true } = {}): Uint8Array {
  const start = digits.findIndex((digit) => digit !== 0);
  const short = start < 0 ? Uint8Array.of(0) : digits.subarray(start);
  const padding = zeros + (sign && short[0]! >= 0x80 ? 1 : 0);
  return Uint8Array.of(2, padding + short.length, ...new Uint8Array(padding), ...short);
}

function der(first: Uint8Array, second: Uint8Array, longer = 0): Uint8Array {
  return Uint8Array.of(0x30, first.length + second.length + longer, ...first, ...second);
}

const good = der(integer(r), integer(s));
const verdicts = (signature: Uint8Array, publicKey: Uint8Array) =>
  (["rnode", "f1r3node"] as SignatureRules[]).map((rules) =>
    verifySignature(rules, "secp256k1", { message, signature, publicKey }),
  );

test("what is written as it should be is valid for both nodes", () => {
  for (const key of [whole, short]) expect(verdicts(good, key)).toEqual([true, true]);
  expect(verdicts(good, Uint8Array.of(isOdd ? 2 : 3, ...x))).toEqual([false, false]);
});

test.each<[string, Uint8Array]>([
  ["a high s", der(integer(r), integer(highS))],
  ["zeros in front of r", der(integer(r, { zeros: 1 }), integer(s))],
  ["zeros in front of s", der(integer(r), integer(s, { zeros: 2 }))],
  ["an r or s that reads as negative", der(integer(r, { sign: false }), integer(highS, { sign: false }))],
  ["a length of the whole that is too large", der(integer(r), integer(s), 1)],
  ["something behind it", Uint8Array.of(...good, 0)],
])("%s: valid for the older node, not for the newer one", (_, signature) => {
  expect(verdicts(signature, whole)).toEqual([true, false]);
});

test.each<[string, Uint8Array]>([
  ["r = 0", der(integer(new Uint8Array(32)), integer(s))],
  ["s = 0", der(integer(r), integer(new Uint8Array(32)))],
  ["s = n", der(integer(r), integer(bytesOf(curveOrder)))],
  ["no bytes at all", new Uint8Array(0)],
  ["another tag", Uint8Array.of(0x31, ...good.subarray(1))],
  ["an end too early", good.subarray(0, good.length - 1)],
  ["a length in its long form", Uint8Array.of(0x30, 0x81, ...good.subarray(1))],
])("%s: valid for none", (_, signature) => {
  expect(verdicts(signature, whole)).toEqual([false, false]);
});

test("a hybrid key is one for the older node, a key of form 05 is the even point for the newer one", () => {
  expect(verdicts(good, Uint8Array.of(isOdd ? 7 : 6, ...whole.subarray(1)))).toEqual([true, false]);
  expect(verdicts(good, Uint8Array.of(isOdd ? 6 : 7, ...whole.subarray(1)))).toEqual([false, false]);
  expect(verdicts(good, Uint8Array.of(5, ...x))).toEqual([false, !isOdd]);
  for (const key of [new Uint8Array(0), Uint8Array.of(0), whole.subarray(1), Uint8Array.of(1, ...x)])
    expect(verdicts(good, key)).toEqual([false, false]);
});

test("only a hash of 32 bytes has a signature, for f1r3node too", () => {
  for (const length of [0, 16, 31, 33, 64])
    expect(
      verifySignature("f1r3node", "secp256k1", { message: new Uint8Array(length), signature: good, publicKey: whole }),
    ).toBe(false);
});

test("r and s of a wallet: f1r3node takes 64 bytes and a low s", () => {
  const check = (rules: SignatureRules, signature: Uint8Array) =>
    verifySignature(rules, "secp256k1:eth", { message, signature, publicKey: whole });
  expect([check("rnode", numbers), check("f1r3node", numbers)]).toEqual([true, true]);
  const withRecovery = concatBytes(numbers, Uint8Array.of(27));
  expect([check("rnode", withRecovery), check("f1r3node", withRecovery)]).toEqual([true, false]);
  const high = concatBytes(r, highS);
  expect([check("rnode", high), check("f1r3node", high)]).toEqual([true, false]);
  for (const rules of ["rnode", "f1r3node"] as const) expect(check(rules, numbers.subarray(0, 63))).toBe(false);
});

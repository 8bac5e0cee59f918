import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { blake2b256 } from "../hash/blake2b256.js";
import { normalizeNumbers, parseDerSignature, printDerSignature } from "./ecdsaNumbers.js";
import {
  checkSecp256k1,
  checkSecp256k1Eth,
  secp256k1PublicKeyOf,
  signSecp256k1,
  signSecp256k1Eth,
} from "./secp256k1.js";
import { createPlainBackend, secp256k1Backend } from "./secp256k1Backend.js";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const toNumber = (bytes: Uint8Array) => BigInt(`0x${toHex(bytes)}`);
const toBytes = (number: bigint) => fromHex(number.toString(16).padStart(64, "0"));
const integer = (digits: Uint8Array) => concatBytes(Uint8Array.of(2, digits.length), digits);
const sequence = (...items: Uint8Array[]) => {
  const content = concatBytes(...items);
  return concatBytes(Uint8Array.of(0x30, content.length), content);
};

const privateKey = blake2b256(Uint8Array.of(1));
const publicKey = secp256k1PublicKeyOf(privateKey);
// A hash for which both r and s have their upper bit clear, and one for which r has it set.
const hashes = Array.from({ length: 40 }, (_, index) => blake2b256(Uint8Array.of(2, index)));
const hash = hashes.find((one) => signSecp256k1Eth(one, privateKey)[0]! < 0x80)!;
const hashWithLargeR = hashes.find((one) => signSecp256k1Eth(one, privateKey)[0]! >= 0x80)!;
const signature = signSecp256k1(hash, privateKey);
const numbers = signSecp256k1Eth(hash, privateKey);
const [r, s] = [numbers.subarray(0, 32), numbers.subarray(32)];
const highS = toBytes(order - toNumber(s));

describe("what rnode accepts beside strict DER", () => {
  const accepted: readonly (readonly [string, Uint8Array])[] = [
    ["the strict form", signature],
    ["a high s", sequence(integer(r), concatBytes(Uint8Array.of(2, 33, 0), highS))],
    ["a high s without the zero that makes it positive", sequence(integer(r), integer(highS))],
    ["numbers with more zeros before them", sequence(integer(concatBytes(new Uint8Array(9), r)), integer(s))],
    ["bytes after the end", concatBytes(signature, Uint8Array.of(1, 2, 3))],
    ["a wrong length of the whole", Uint8Array.from(signature, (byte, index) => (index === 1 ? 3 : byte))],
    ["a length of the whole with its upper bit set", Uint8Array.from(signature, (byte, i) => (i === 1 ? 0xff : byte))],
  ];
  test.each(accepted)("%s", (_, loose) => {
    expect(checkSecp256k1(hash, loose, publicKey)).toBe("valid");
  });

  test("an r without the zero that makes it positive", () => {
    const large = signSecp256k1Eth(hashWithLargeR, privateKey);
    const loose = sequence(integer(large.subarray(0, 32)), integer(large.subarray(32)));
    expect(checkSecp256k1(hashWithLargeR, loose, publicKey)).toBe("valid");
  });

  test("a compressed key and keys of the hybrid form", () => {
    const isOdd = publicKey[64]! % 2;
    const x = publicKey.subarray(1, 33);
    const hybrid = (form: number) => concatBytes(Uint8Array.of(form), publicKey.subarray(1));
    expect(checkSecp256k1(hash, signature, concatBytes(Uint8Array.of(2 + isOdd), x))).toBe("valid");
    expect(checkSecp256k1(hash, signature, concatBytes(Uint8Array.of(3 - isOdd), x))).toBe("invalid");
    expect(checkSecp256k1(hash, signature, hybrid(6 + isOdd))).toBe("valid");
    expect(checkSecp256k1(hash, signature, hybrid(7 - isOdd))).toBe("invalid");
  });

  test("an Ethereum signature with a recovery number, a high s, or more bytes", () => {
    expect(checkSecp256k1Eth(hash, concatBytes(numbers, Uint8Array.of(27)), publicKey)).toBe("valid");
    expect(checkSecp256k1Eth(hash, concatBytes(r, highS), publicKey)).toBe("valid");
    expect(checkSecp256k1Eth(hash, concatBytes(numbers, new Uint8Array(10_000)), publicKey)).toBe("valid");
  });
});

describe("what is refused and never throws", () => {
  const zero = new Uint8Array(32);
  const refused: readonly (readonly [string, Uint8Array])[] = [
    ["nothing", new Uint8Array()],
    ["one byte", Uint8Array.of(0x30)],
    ["a sequence of nothing", fromHex("3000")],
    ["another tag", Uint8Array.from(signature, (byte, index) => (index === 0 ? 0x31 : byte))],
    ["zeros", new Uint8Array(72)],
    ["r of 0", sequence(integer(zero), integer(s))],
    ["s of 0", sequence(integer(r), integer(zero))],
    ["s of no digits", sequence(integer(r), integer(new Uint8Array()))],
    ["the order as s", sequence(integer(r), integer(toBytes(order)))],
    ["r of 33 digits", sequence(integer(concatBytes(Uint8Array.of(1), r)), integer(s))],
    ["r alone", sequence(integer(r))],
    ["an s that is cut short", signature.subarray(0, signature.length - 1)],
    ["a long form of a number's length", sequence(concatBytes(fromHex("028120"), r), integer(s))],
    ["a long form of the whole's length", concatBytes(fromHex("308144"), signature.subarray(2))],
    ["another's signature", signSecp256k1(hash, blake2b256(Uint8Array.of(3)))],
  ];
  test.each(refused)("%s", (_, bad) => {
    expect(checkSecp256k1(hash, bad, publicKey)).toBe("invalid");
  });

  test.each([
    ["no bytes", new Uint8Array()],
    ["the point at infinity", Uint8Array.of(0)],
    ["a point that is not on the curve", Uint8Array.from(publicKey, (byte, index) => (index === 64 ? byte ^ 1 : byte))],
    ["an unknown form", Uint8Array.from(publicKey, (byte, index) => (index === 0 ? 5 : byte))],
    ["a key without its form", publicKey.subarray(1)],
  ])("a key that is %s", (_, key) => {
    expect(checkSecp256k1(hash, signature, key)).toBe("invalid");
    expect(checkSecp256k1Eth(hash, numbers, key)).toBe("invalid");
  });

  test("short Ethereum signatures", () => {
    expect(checkSecp256k1Eth(hash, new Uint8Array(), publicKey)).toBe("invalid");
    expect(checkSecp256k1Eth(hash, numbers.subarray(0, 32), publicKey)).toBe("invalid");
    expect(checkSecp256k1Eth(hash, numbers.subarray(0, 63), publicKey)).toBe("invalid");
    expect(checkSecp256k1Eth(hash, numbers.subarray(0, 5), publicKey)).toBe("invalid");
  });

  test("where rnode's library throws, the verdict is malformed", () => {
    expect(checkSecp256k1(hash.subarray(1), signature, publicKey)).toBe("malformed");
    expect(checkSecp256k1Eth(hash.subarray(1), numbers, publicKey)).toBe("malformed");
    expect(checkSecp256k1(hash, concatBytes(signature, new Uint8Array(400)), publicKey)).toBe("malformed");
    expect(checkSecp256k1(hash, signature, new Uint8Array(500))).toBe("malformed");
  });

  test("any bytes at all", () => {
    const anyBytes = fc.uint8Array({ maxLength: 90 });
    fc.assert(
      fc.property(anyBytes, anyBytes, (one, key) => {
        expect(checkSecp256k1(hash, one, key)).toBe("invalid");
        expect(checkSecp256k1(hash, one, publicKey)).toBe("invalid");
        expect(checkSecp256k1Eth(hash, one, publicKey)).toBe("invalid");
      }),
    );
  });
});

test("every signature is found again in its strict form, and s is always low", () => {
  const anyNumber = fc.bigInt({ min: 1n, max: order - 1n });
  fc.assert(
    fc.property(anyNumber, anyNumber, (one, other) => {
      const pair = concatBytes(toBytes(one), toBytes(other));
      expect(parseDerSignature(printDerSignature(pair))).toEqual(pair);
      const low = other > order / 2n ? order - other : other;
      expect(normalizeNumbers(pair)).toEqual(concatBytes(toBytes(one), toBytes(low)));
    }),
  );
});

test("the plain backend does what the native one does", () => {
  const plain = createPlainBackend();
  for (let index = 0; index < 8; index++) {
    const key = blake2b256(Uint8Array.of(4, index));
    const message = blake2b256(Uint8Array.of(5, index));
    const signed = secp256k1Backend.sign(message, key);
    const point = secp256k1Backend.publicKeyOf(key);
    const hybrid = Uint8Array.from(point, (byte, at) => (at === 0 ? 6 + (point[64]! % 2) : byte));
    expect(plain.sign(message, key)).toEqual(signed);
    expect(plain.publicKeyOf(key)).toEqual(point);
    expect(plain.verify(signed, message, point)).toBe(true);
    expect(plain.verify(signed, message, hybrid)).toBe(true);
    expect(plain.verify(signed, key, point)).toBe(false);
  }
  expect(plain.isPrivateKey(new Uint8Array(32))).toBe(false);
  expect(plain.isPrivateKey(toBytes(order))).toBe(false);
});

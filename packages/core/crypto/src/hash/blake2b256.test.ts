import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { concatBytes } from "../bytes/concat.js";
import { toHex } from "../bytes/hex.js";
import { blake2b256, blake2b256Of } from "./blake2b256.js";
import { shareBlake2bCompression } from "./blake2bCompression.js";
import { keccak256 } from "./keccak256.js";
import { sha256 } from "./sha256.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const independent = (data: Uint8Array) => toHex(blake2b(data, { dkLen: 32 }));

test("rnode's hashes", () => {
  expect(toHex(blake2b256(utf8("")))).toBe("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  expect(toHex(blake2b256(utf8("abc")))).toBe("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  expect(toHex(keccak256(utf8("")))).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  expect(toHex(keccak256(utf8("abc")))).toBe("4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
  expect(toHex(sha256(utf8("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("a result stays as it was when more is hashed", () => {
  const first = blake2b256(utf8("abc"));
  blake2b256(utf8("other"));
  expect(toHex(first)).toBe("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
});

test.each([127, 128, 129, 255, 256, 257, 65_279, 65_280, 65_281, 65_408, 130_559, 130_560, 130_561, 1_000_003])(
  "%d bytes, at the edges of blocks and of the memory, have the hash that another implementation gives",
  (length) => {
    const data = Uint8Array.from({ length }, (_, index) => (index * 31) & 0xff);
    expect(toHex(blake2b256(data))).toBe(independent(data));
    for (const cut of [0, 1, 128, 65_280, length]) {
      if (cut > length) continue;
      expect(toHex(blake2b256Of([data.subarray(0, cut), data.subarray(cut)]))).toBe(independent(data));
    }
  },
);

test("any data in any parts have the hash of the whole", () => {
  const anyParts = fc.array(fc.uint8Array({ maxLength: 300, size: "max" }), { maxLength: 6 });
  fc.assert(
    fc.property(anyParts, (parts) => {
      const whole = concatBytes(...parts);
      expect(toHex(blake2b256(whole))).toBe(independent(whole));
      expect(toHex(blake2b256Of(parts))).toBe(independent(whole));
    }),
  );
});

test("a thread compiles nothing that the one which started it shares", async () => {
  const module = new URL("../../dist/hash/blake2b256.js", import.meta.url).href;
  const program = `
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct() { throw new Error("compiled again"); } });
    import("${module}").then(({ blake2b256 }) => require("worker_threads").parentPort.postMessage(blake2b256(Uint8Array.of(97, 98, 99))));
  `;
  shareBlake2bCompression();
  const [hash] = await once(new Worker(program, { eval: true }), "message");
  expect(toHex(hash)).toBe(toHex(blake2b256(utf8("abc"))));
});

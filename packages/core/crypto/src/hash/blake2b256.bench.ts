import { blake2b } from "@noble/hashes/blake2.js";
import { createBLAKE2b } from "hash-wasm";
import { bench, describe } from "vitest";
import { blake2b256 } from "./blake2b256.js";

const hasher = await createBLAKE2b(256);

describe.each([64, 128, 300, 10_000])("BLAKE2b of %d bytes", (length) => {
  const data = new Uint8Array(length).fill(7);
  bench("our own module", () => {
    blake2b256(data);
  });
  bench("hash-wasm", () => {
    hasher.init().update(data).digest("binary");
  });
  bench("plain JavaScript", () => {
    blake2b(data, { dkLen: 32 });
  });
});

import { gzipSync } from "node:zlib";
import { concatBytes, toHex } from "@vedette/crypto";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LightError, packUpdate, trustedBlockOf, unpackUpdate } from "./index.js";
import { SignedNetwork, updateOf } from "./testing/index.js";

const part = fc.uint8Array({ minLength: 1, maxLength: 40 });

test("what is packed is unpacked, whatever repeats in it", () => {
  const target = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), fc.array(fc.array(fc.nat())), target, (parts, picks, hash) => {
      const pick = (places: readonly number[]) => concatBytes(...places.map((at) => parts[at % parts.length]!));
      const update = { target: hash, blocks: picks.map(pick) };
      const known = concatBytes(...parts);
      expect(unpackUpdate(packUpdate(update, known), known)).toEqual(update);
    }),
    { numRuns: runs(100, 5_000) },
  );
});

test("any bytes are unpacked, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), part, (bytes, known) => {
      try {
        unpackUpdate(bytes, known);
      } catch (error) {
        expect(error).toBeInstanceOf(LightError);
      }
    }),
    { numRuns: runs(300, 20_000) },
  );
});

test("three validators take less than 4 kB, as it is sent", () => {
  const network = new SignedNetwork({ a: 1, b: 1, c: 1 });
  const chain = network.chain(network.genesis, "a", "b", "c", "a", "b", "c", "a");
  const packed = packUpdate(updateOf(chain[1]!, chain), trustedBlockOf(network.genesis).known);
  expect(gzipSync(toHex(packed)).length).toBeLessThan(4_000);
});

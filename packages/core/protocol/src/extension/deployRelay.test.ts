import fc from "fast-check";
import { expect, test } from "vitest";
import { WireError } from "../wire/WireError.js";
import {
  decodeDeployRelayAnswer,
  decodeDeployRelayQuestion,
  encodeDeployRelayAnswer,
  encodeDeployRelayQuestion,
  maxRelayIds,
} from "./deployRelay.js";

const id = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("questions and answers are read as they were written", () => {
  const ids = fc.array(id, { maxLength: maxRelayIds / 2 });
  fc.assert(
    fc.property(ids, ids, fc.array(fc.uint8Array({ minLength: 1 })), (offered, wanted, deploys) => {
      expect(decodeDeployRelayQuestion(encodeDeployRelayQuestion({ offered, wanted }))).toEqual({ offered, wanted });
      const some = deploys.slice(0, 100);
      expect(decodeDeployRelayAnswer(encodeDeployRelayAnswer(some))).toEqual(some);
    }),
  );
});

test("bytes of strangers are read or refused, whatever they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4_096 }), (bytes) => {
      for (const decode of [decodeDeployRelayQuestion, decodeDeployRelayAnswer]) {
        try {
          decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("too many ids are refused, and ids of another length", () => {
  const many = Array.from({ length: maxRelayIds + 1 }, () => new Uint8Array(32).fill(1));
  expect(() => decodeDeployRelayQuestion(encodeDeployRelayQuestion({ offered: many, wanted: [] }))).toThrow(WireError);
  const short = { offered: [new Uint8Array(31).fill(1)], wanted: [] };
  expect(() => decodeDeployRelayQuestion(encodeDeployRelayQuestion(short))).toThrow(WireError);
  // All that are allowed fit into a question of an extension.
  expect(encodeDeployRelayQuestion({ offered: many.slice(1), wanted: [] }).length).toBeLessThan(4_096);
});

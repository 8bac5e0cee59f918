import { F1r3nodeRandom, fromHex, toHex } from "@vedette/crypto";
import { readVectors } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { decodeBincodeDatum, decodeBincodeLeaf } from "./bincodeLeaf.js";

const stateBytes = 536;

interface StateVector {
  readonly id: string;
  readonly seed: string;
  readonly expect: { readonly leaves: readonly (readonly [string, string, string])[] };
}

const named = (name: string): StateVector[] =>
  [...readVectors<StateVector>("f1r3node", "state")].filter(({ id }) => id.startsWith(`newer/${name}`));

/** The random states of all data; the state is the last thing in a datum's content. */
function recordedStates({ expect: { leaves } }: StateVector): string[] {
  return leaves
    .map(([, , value]) => decodeBincodeLeaf(fromHex(value)))
    .filter(({ kind }) => kind === "data")
    .flatMap(({ items }) => items.map((item) => decodeBincodeDatum(item).content))
    .map((content) => toHex(content.subarray(content.length - stateBytes)));
}

describe("random states of f1r3node's data", () => {
  test("are those of nested splits, also where the path overflows", () => {
    let compared = 0;
    for (const vector of named("deep-split-")) {
      const depth = Number(vector.id.split("-").at(-1));
      const expected: string[] = [];
      // new x0 in { @0!(*x0) | new x1 in { … } }: a draw, then the send is part 0 and the rest is part 1.
      let random = F1r3nodeRandom.fromSeed(fromHex(vector.seed));
      for (let level = 0; level < depth; level += 1) {
        random.next();
        expected.push(toHex(random.splitByte(0).toBytes()));
        random = random.splitByte(1);
      }
      random.next();
      expected.push(toHex(random.toBytes()));
      expect(recordedStates(vector).sort(), vector.id).toEqual(expected.sort());
      compared += expected.length;
    }
    expect(compared).toBe(919);
  });

  test("are those of merges of a continuation and one to nine data", () => {
    const merged = named("merge-join-");
    for (const vector of merged) {
      const binds = Number(vector.id.split("-").at(-1));
      const random = F1r3nodeRandom.fromSeed(fromHex(vector.seed));
      // The sends are parts 0 to binds - 1, the receive is the last part; its body draws a name.
      const data = Array.from({ length: binds }, (_, index) => random.splitByte(index));
      const body = F1r3nodeRandom.merge([random.splitByte(binds), ...data]);
      body.next();
      const states = recordedStates(vector);
      expect(states, vector.id).toContain(toHex(body.toBytes()));
    }
    expect(merged).toHaveLength(9);
  });
});

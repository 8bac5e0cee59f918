import { type Block, hashKey } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { TestDag, validatorKey } from "../../testing/TestDag.js";
import { undisputedLatest } from "./undisputedLatest.js";

const stakes = { a: 10, b: 10, c: 10 };
const offenderKey = hashKey(validatorKey("c"));

/** The block that validator a names for c; c's own blocks are made by the given function. */
function scene() {
  const made = new TestDag(stakes);
  const { genesis, dag } = made;
  const all = { a: genesis, b: genesis, c: genesis };
  const ofOffender = (own: Block, invalid = false) =>
    made.add({ creator: "c", parents: [genesis], justifications: { ...all, c: own }, invalid });
  const named = (own?: Block, baseSequenceNumber = 0) => {
    const record = { validator: validatorKey("c"), validatorKey: offenderKey, baseSequenceNumber };
    const justifications = undisputedLatest(dag.require(genesis.hash), {
      ...{ dag, equivocations: { records: () => [record] }, senderKey: hashKey(validatorKey("a")) },
      own: own && dag.require(own.hash),
    });
    return justifications.find(({ validator }) => hashKey(validator) === offenderKey)!.latestBlockHash;
  };
  const ownNaming = (block: Block) =>
    made.add({ creator: "a", parents: [genesis], justifications: { ...all, c: block } });
  return { genesis, ofOffender, named, ownNaming };
}

describe("a new block names of a validator", () => {
  test("the latest block, if it is valid and has no rival", () => {
    const { genesis, ofOffender, named } = scene();
    expect(named()).toEqual(genesis.hash);
    const latest = ofOffender(ofOffender(genesis));
    expect(named()).toEqual(latest.hash);
  });

  test("the newest valid one below an invalid one", () => {
    const { genesis, ofOffender, named } = scene();
    const valid = ofOffender(genesis);
    ofOffender(ofOffender(valid, true), true);
    expect(named()).toEqual(valid.hash);
  });

  test("what lies below the first two that it made at once, valid or not", () => {
    for (const invalid of [true, false]) {
      const { genesis, ofOffender, named } = scene();
      const below = ofOffender(genesis);
      const side = ofOffender(below);
      ofOffender(below, invalid);
      ofOffender(side);
      expect(named()).toEqual(below.hash);
    }
  });

  test("the side that the own latest block names already", () => {
    const { genesis, ofOffender, named, ownNaming } = scene();
    const side = ofOffender(genesis);
    ofOffender(genesis, true);
    expect(named(ownNaming(side))).toEqual(side.hash);
    expect(named(ownNaming(genesis))).toEqual(genesis.hash);
  });
});

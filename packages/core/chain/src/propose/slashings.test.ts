import { type Block, hashKey } from "@vedette/protocol";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { slashingsOn } from "./slashings.js";

const stakes = { v1: 10, v2: 10, v3: 10, v4: 10 };

/** The fourth validator's second block is invalid; the first validator is to make a block on the genesis block. */
function scene() {
  const dag = new TestDag(stakes);
  const { genesis } = dag;
  const all = { v1: genesis, v2: genesis, v3: genesis, v4: genesis };
  const valid = dag.add({ creator: "v4", parents: [genesis], justifications: all });
  const invalid = dag.add({
    creator: "v4",
    parents: [valid],
    justifications: { ...all, v4: valid },
    invalid: true,
  });
  const by = (creator: string, v4: Block, more: { bonds?: Record<string, number>; v3?: Block } = {}) => {
    const { v3 = genesis, bonds = stakes } = more;
    return dag.add({ creator, parents: [genesis], justifications: { ...all, v4, v3 }, bonds });
  };
  const chosen = (own?: Block, slashesUnconfirmed = false) => {
    const { justifications, toSlash } = slashingsOn(dag.dag, {
      main: dag.dag.require(genesis.hash),
      senderKey: hashKey(validatorKey("v1")),
      own: own && dag.dag.require(own.hash),
      slashesUnconfirmed,
    });
    const named = justifications.find(({ validator }) => hashKey(validator) === hashKey(validatorKey("v4")));
    return { named: named!.latestBlockHash, toSlash };
  };
  return { dag, valid, invalid, by, chosen };
}

test("an invalid block that only this validator is known to find so is neither slashed for nor named", () => {
  const { valid, invalid, by, chosen } = scene();
  expect(chosen()).toEqual({ named: valid.hash, toSlash: [] });
  by("v2", valid);
  expect(chosen()).toEqual({ named: valid.hash, toSlash: [] });
  expect(chosen(undefined, true)).toEqual({ named: invalid.hash, toSlash: [invalid.hash] });
});

test("it is slashed for when another validator with stake has taken the stake", () => {
  const { valid, invalid, by, chosen } = scene();
  by("v2", valid, { bonds: { ...stakes, v4: 0 } });
  expect(chosen()).toEqual({ named: invalid.hash, toSlash: [invalid.hash] });
});

test("it is slashed for when another validator has it and still names an older block", () => {
  const { valid, invalid, by, chosen } = scene();
  const namesIt = by("v3", invalid);
  expect(chosen().toSlash).toEqual([]);
  by("v2", valid, { v3: namesIt });
  expect(chosen()).toEqual({ named: invalid.hash, toSlash: [invalid.hash] });
});

test("a stranger's word and the offender's own count for nothing", () => {
  const { dag, valid, by, chosen } = scene();
  by("v9", valid, { bonds: { ...stakes, v4: 0 } });
  by("v4", valid, { bonds: { ...stakes, v4: 0 } });
  expect(dag.dag.invalidBlocks()).toHaveLength(1);
  expect(chosen().toSlash).toEqual([]);
});

test("nothing older is named than what the own last block named", () => {
  const { dag, valid, invalid, by, chosen } = scene();
  expect(chosen(by("v1", valid)).named).toEqual(valid.hash);
  const { genesis } = dag;
  const all = { v1: genesis, v2: genesis, v3: genesis, v4: valid };
  const side = dag.make({ creator: "v4", parents: [genesis], justifications: all });
  dag.dag.insert(side, { invalid: false, approved: false });
  const own = by("v1", side);
  dag.add({ creator: "v4", parents: [genesis], justifications: all, invalid: true });
  expect(chosen(own)).toEqual({ named: side.hash, toSlash: [] });
  // Where that is invalid, there is no way back.
  expect(chosen(by("v1", invalid)).toSlash).toHaveLength(1);
});

import { type Block, hashKey, type SystemDeploy } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { TestDag, validatorKey } from "../../testing/TestDag.js";
import type { SlashChoice } from "../SlashRules.js";
import { epochSlashing } from "./epochSlashing.js";

const epochLength = 5n;
const rules = epochSlashing(epochLength);

/** A chain up to height 6, with an invalid block of v2 at each of heights 4 and 6: two epochs. */
function scene() {
  const dag = new TestDag({ v1: 10, v2: 20, v3: 30 });
  const chain = [dag.genesis];
  for (let number = 1; number <= 6; number += 1)
    chain.push(dag.add({ creator: "v1", parents: [chain.at(-1)!], justifications: { v1: chain.at(-1)! } }));
  const invalidAt = (creator: string, number: number, timestamp = 1n): Block =>
    dag.add({ creator, parents: [chain[number - 1]!], justifications: {}, invalid: true, timestamp });
  return { dag, chain, tip: chain[6]!, early: invalidAt("v2", 4), late: invalidAt("v2", 6), invalidAt };
}

function slash(invalid: Block, change: { issuer?: string; epoch?: bigint } = {}): SystemDeploy {
  const { issuer = "v1", epoch = 1n } = change;
  return {
    kind: "slash",
    invalidBlockHash: invalid.hash,
    issuerPublicKey: issuer === "" ? new Uint8Array(0) : validatorKey(issuer),
    targetActivationEpoch: epoch,
  };
}

describe("the right to slash", () => {
  const { dag, tip, chain, early, late, invalidAt } = scene();
  const problemOf = (systemDeploys: readonly SystemDeploy[], more: Partial<Parameters<TestDag["make"]>[0]> = {}) => {
    const block = dag.make({ creator: "v1", parents: [tip], justifications: { v1: tip }, systemDeploys, ...more });
    const parents = block.parents.map((hash) => dag.dag.require(hash));
    const wrong = rules.checkAuthorization(block, parents, dag.dag);
    return wrong?.status === "UnauthorizedSlashDeploy" ? wrong.problem : wrong;
  };

  test("is there for an invalid block of this epoch if its creator has stake", () => {
    expect(problemOf([slash(late)])).toBeUndefined();
    expect(problemOf([])).toBeUndefined();
    expect(problemOf([slash(late), slash(invalidAt("v3", 5))])).toBeUndefined();
  });

  test("is not there otherwise: each reason is named", () => {
    expect(problemOf([slash(late)], { sequenceNumber: -1 })).toBe("sequenceNumber");
    expect(problemOf([slash(late, { issuer: "v3" })])).toBe("issuer");
    expect(problemOf([slash(late, { issuer: "" })])).toBe("issuer");
    expect(problemOf([slash(late, { epoch: 0n })])).toBe("epoch");
    expect(problemOf([slash(dag.make({ creator: "v2", parents: [tip], justifications: {} }))])).toBe("unknownBlock");
    expect(problemOf([slash(chain[5]!)])).toBe("validBlock");
    expect(problemOf([slash(early)])).toBe("evidenceEpoch");
    expect(problemOf([slash(invalidAt("stranger", 6))])).toBe("notBonded");
    expect(problemOf([slash(late), slash(invalidAt("v2", 5, 9n))])).toBe("repeated");
  });

  test("stake in any parent counts", () => {
    const gone = dag.add({ creator: "v3", parents: [tip], justifications: {}, bonds: { v1: 10, v2: 0, v3: 30 } });
    expect(problemOf([slash(late)], { parents: [gone] })).toBe("notBonded");
    expect(problemOf([slash(late)], { parents: [gone, tip] })).toBeUndefined();
  });
});

describe("an invalid block that is named", () => {
  const { dag, tip, early, late } = scene();
  const isNeglected = (named: Block, more: Partial<Parameters<TestDag["make"]>[0]> = {}): boolean => {
    const justifications = { v1: tip, v2: named };
    const block = dag.make({ creator: "v1", parents: [tip], justifications, ...more });
    return rules.checkNeglected(block, dag.dag)?.status === "NeglectedInvalidBlock";
  };

  test("must be slashed for in its epoch, while its creator has stake", () => {
    expect(isNeglected(late)).toBe(true);
    expect(isNeglected(late, { systemDeploys: [slash(late)] })).toBe(false);
    expect(isNeglected(late, { bonds: { v1: 10, v2: 0, v3: 30 } })).toBe(false);
    expect(isNeglected(early)).toBe(false);
    expect(isNeglected(tip)).toBe(false);
  });

  test("is not slashed for by another issuer or for another epoch", () => {
    expect(isNeglected(late, { systemDeploys: [slash(late, { issuer: "v3" })] })).toBe(true);
    expect(isNeglected(late, { systemDeploys: [slash(late, { epoch: 0n })] })).toBe(true);
    expect(isNeglected(late, { systemDeploys: [slash(early)] })).toBe(true);
  });
});

test("for any block of an equivocator a slash is allowed, and none is required", () => {
  const dag = new TestDag({ v1: 10, v2: 20 });
  const { genesis } = dag;
  const beside = () => dag.make({ creator: "v2", parents: [genesis], justifications: { v1: genesis, v2: genesis } });
  const [valid, invalid] = [beside(), beside()];
  dag.dag.insert(valid, { invalid: false, approved: false });
  expect(problemOf(valid)).toBe("validBlock");
  dag.dag.insert(invalid, { invalid: true, approved: false });
  const after = dag.add({ creator: "v2", parents: [valid], justifications: { v1: genesis, v2: valid } });
  for (const block of [valid, invalid, after]) expect(problemOf(block)).toBeUndefined();
  const naming = dag.make({ creator: "v1", parents: [valid], justifications: { v1: genesis, v2: invalid } });
  expect(rules.checkNeglected(naming, dag.dag)).toBeUndefined();

  function problemOf(slashed: Block) {
    const systemDeploys = [slash(slashed, { epoch: 0n })];
    const block = dag.make({ creator: "v1", parents: [genesis], justifications: { v1: genesis }, systemDeploys });
    const wrong = rules.checkAuthorization(block, [dag.dag.require(genesis.hash)], dag.dag);
    return wrong?.status === "UnauthorizedSlashDeploy" ? wrong.problem : wrong;
  }
});

test("programs can read the blocks that their block slashes for, and no other", () => {
  const { dag, tip, late } = scene();
  const block = (systemDeploys: readonly SystemDeploy[]) =>
    dag.make({ creator: "v1", parents: [tip], justifications: {}, systemDeploys });
  expect(rules.invalidBlocksFor(block([]), dag.dag)).toEqual([]);
  const visible = rules.invalidBlocksFor(block([slash(late), slash(late)]), dag.dag);
  expect(visible).toEqual([{ hash: late.hash, sender: validatorKey("v2") }]);
});

describe("a proposer slashes for", () => {
  const { dag, early, late, invalidAt } = scene();
  const other = invalidAt("v2", 5, 7n);
  const third = invalidAt("v3", 6);
  const choose = (change: Partial<SlashChoice> = {}) =>
    rules
      .choose(dag.dag, {
        number: 7n,
        sender: validatorKey("v1"),
        stakes: new Map(["v1", "v2", "v3"].map((name) => [hashKey(validatorKey(name)), 1n])),
        rejected: [],
        ...change,
      })
      .map(({ invalidBlock }) => hashKey(invalidBlock));
  const [smaller, larger] = [late, other].map(({ hash }) => hash).sort(Buffer.compare);

  test("the smallest invalid block of each offender in this epoch, also where its merge rejected others", () => {
    expect(choose()).toEqual([hashKey(smaller!), hashKey(third.hash)]);
    expect(choose({ rejected: [larger!, early.hash, smaller!] })).toEqual(choose());
    expect(choose({ number: 4n })).toEqual([hashKey(early.hash)]);
    expect(choose({ number: 12n })).toEqual([]);
  });

  test("only what the others agree to, of each offender the smallest such", () => {
    const agreed = (...blocks: readonly Uint8Array[]) => {
      const keys = new Set(blocks.map(hashKey));
      return choose({ isAgreed: (hash) => keys.has(hashKey(hash)), rejected: [third.hash] });
    };
    expect(agreed(larger!)).toEqual([hashKey(larger!)]);
    expect(agreed(early.hash)).toEqual([]);
    expect(agreed(third.hash)).toEqual([hashKey(third.hash)]);
  });

  test("no validator without stake, and not without stake of its own", () => {
    const stakes = new Map([
      [hashKey(validatorKey("v1")), 1n],
      [hashKey(validatorKey("v3")), 1n],
    ]);
    expect(choose({ stakes })).toEqual([hashKey(third.hash)]);
    expect(choose({ sender: validatorKey("v4") })).toEqual([]);
  });
});

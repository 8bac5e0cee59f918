import { toHex } from "@vedette/crypto";
import { Block, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { yieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { TestDag, testDeploy, validatorKey } from "../testing/TestDag.js";
import { checkBlockHash } from "./blockHash.js";
import { checkBlockNumber } from "./blockNumber.js";
import { checkBondsCache } from "./bondsCache.js";
import { checkExpiredDeploy } from "./expiredDeploy.js";
import { checkFormat } from "./format.js";
import { checkFutureDeploy } from "./futureDeploy.js";
import { checkJustificationFollows } from "./justificationFollows.js";
import { checkJustificationRegression } from "./justificationRegression.js";
import { checkParents } from "./parents.js";
import { checkPhloPrice } from "./phloPrice.js";
import { checkRepeatDeploy } from "./repeatDeploy.js";
import { checkSequenceNumber } from "./sequenceNumber.js";
import { statusReason } from "./statusReason.js";
import { checkTimestamp } from "./timestamp.js";

const stakes = { v1: 10, v2: 20 };

/** Genesis and a chain of one validator's blocks on it. */
function chainOf(length: number, deploys: Readonly<Record<number, readonly ReturnType<typeof testDeploy>[]>> = {}) {
  const dag = new TestDag(stakes);
  const blocks = [dag.genesis];
  for (let number = 1; number <= length; number += 1) {
    const parent = blocks[number - 1]!;
    const justifications = { v1: parent, v2: dag.genesis };
    blocks.push(dag.add({ creator: "v1", parents: [parent], justifications, deploys: deploys[number] ?? [] }));
  }
  return { dag, blocks, tip: blocks[length]! };
}

describe("checks before the execution", () => {
  const { dag, tip, blocks } = chainOf(3);
  const parentsOf = (block: Block) => block.parents.map((hash) => dag.dag.require(hash));
  const on = (parents: readonly Block[], more: Partial<Parameters<TestDag["make"]>[0]> = {}): Block =>
    dag.make({ creator: "v1", parents, justifications: { v1: tip, v2: dag.genesis }, ...more });

  test("format: each field that must be there is named", () => {
    const block = new Block({ ...on([tip]), signature: new Uint8Array(1) });
    expect(checkFormat(block)).toBeUndefined();
    const reasons = [
      new Block({ ...block, hash: new Uint8Array(0) }),
      new Block({ ...block, signature: new Uint8Array(0) }),
      new Block({ ...block, signatureAlgorithm: "" }),
      new Block({ ...block, shardId: "" }),
      new Block({
        ...block,
        body: { ...block.body, state: { ...block.body.state, postStateHash: new Uint8Array(0) } },
      }),
    ].map(checkFormat);
    expect(reasons).toEqual([
      "block hash is empty.",
      "block signature is empty.",
      "block signature algorithm is empty.",
      "block shard identifier is empty.",
      "block post state hash is empty.",
    ]);
  });

  test("1 block hash", () => {
    const block = on([tip]);
    expect(checkBlockHash(block, rnode)).toBeUndefined();
    const status = checkBlockHash(new Block({ ...block, sequenceNumber: 99 }), rnode)!;
    expect(status.status).toBe("InvalidBlockHash");
    expect(statusReason(block, status)).toMatch(
      /^block hash .{10}\.\.\. does not match to computed value .{10}\.\.\.\.$/,
    );
  });

  test("2 timestamp: from the parents' on, up to fifteen seconds ahead", () => {
    const at = (timestamp: bigint, nowMs: bigint) => {
      const block = on([tip], { timestamp });
      return checkTimestamp(block, parentsOf(block), nowMs)?.status;
    };
    const parent = tip.header.timestamp;
    expect(at(parent, parent)).toBeUndefined();
    expect(at(parent - 1n, parent)).toBe("InvalidTimestamp");
    expect(at(parent + 15000n, parent)).toBeUndefined();
    expect(at(parent + 15001n, parent)).toBe("InvalidTimestamp");
  });

  test("6 block number: one more than the highest parent's", () => {
    const check = (block: Block) => checkBlockNumber(block, parentsOf(block));
    expect(check(on([blocks[1]!, tip]))).toBeUndefined();
    const wrong = on([blocks[1]!, tip], { number: 3n });
    expect(statusReason(wrong, check(wrong)!)).toBe("block number 3 is not one more than maximum parent number 3.");
    const alone = on([], { number: 1n });
    expect(statusReason(alone, check(alone)!)).toBe("block number 1 is not zero, but block has no parents.");
  });

  test("7, 8 deploys: at height 60 valid after 11 to 59 (40 §15.8)", () => {
    const check = (validAfterBlockNumber: bigint) => {
      const block = on([tip], { number: 60n, deploys: [testDeploy(1, { validAfterBlockNumber })] });
      return (checkFutureDeploy(block) ?? checkExpiredDeploy(block))?.status;
    };
    expect([10n, 11n, 59n, 60n].map(check)).toEqual([
      "ContainsExpiredDeploy",
      undefined,
      undefined,
      "ContainsFutureDeploy",
    ]);
  });

  test("9 justifications: exactly the main parent's validators", () => {
    const check = (names: readonly string[]) => {
      const justifications = Object.fromEntries(names.map((name) => [name, dag.genesis]));
      const block = dag.make({ creator: "v1", parents: [tip], justifications });
      return checkJustificationFollows(block, parentsOf(block)[0])?.status;
    };
    expect(check(["v1", "v2"])).toBeUndefined();
    expect(check(["v1"])).toBe("InvalidFollows");
    expect(check(["v1", "v2", "v3"])).toBe("InvalidFollows");
    expect(check(["v1", "v3"])).toBe("InvalidFollows");
    expect(checkJustificationFollows(on([]), undefined)?.status).toBe("BlockException");
  });

  test("10 parents: not too many, and progress without user deploys", async () => {
    const check = async (block: Block, limit = 2147483647) =>
      (await checkParents(block, parentsOf(block), dag.dag, { maximumParents: limit, yieldNow: yieldToEventLoop }))
        ?.status;
    const other = dag.add({
      creator: "v2",
      parents: [dag.genesis],
      justifications: { v1: dag.genesis, v2: dag.genesis },
    });
    expect(await check(on([tip, other]), 1)).toBe("InvalidParents");
    expect(await check(on([tip, other]), 2)).toBeUndefined();
    expect(await check(on([tip]))).toBe("InvalidParents");
    expect(await check(on([tip], { deploys: [testDeploy(1)] }))).toBeUndefined();
    expect(await check(on([tip], { deploys: [testDeploy(3, { signature: new Uint8Array(33).fill(3) })] }))).toBe(
      "InvalidParents",
    );
    expect(await check(on([other]))).toBeUndefined();
    const first = dag.make({ creator: "v3", parents: [tip], justifications: { v1: tip } });
    expect(await check(first)).toBeUndefined();
  });

  test("11 sequence number: one more than the creator's own", () => {
    expect(checkSequenceNumber(on([tip]), dag.dag)).toBeUndefined();
    expect(checkSequenceNumber(on([tip], { sequenceNumber: 7 }), dag.dag)?.status).toBe("InvalidSequenceNumber");
    const unbonded = dag.make({ creator: "v9", parents: [tip], justifications: { v1: tip }, sequenceNumber: 0 });
    expect(checkSequenceNumber(unbonded, dag.dag)).toBeUndefined();
  });

  test("17 phlo price", () => {
    const block = on([tip], { deploys: [testDeploy(1, { phloPrice: 1n })] });
    expect(checkPhloPrice(block, 1n)).toBeUndefined();
    expect(checkPhloPrice(block, 2n)?.status).toBe("LowDeployCost");
  });

  test("14 bonds: as a set", () => {
    const block = on([tip]);
    const { bonds } = block.body.state;
    expect(checkBondsCache(block, [...bonds].reverse())).toBeUndefined();
    expect(checkBondsCache(block, bonds.slice(1))?.status).toBe("InvalidBondsCache");
    expect(checkBondsCache(block, [{ validator: validatorKey("v1"), stake: 11n }, bonds[1]!])?.status).toBe(
      "InvalidBondsCache",
    );
  });
});

test("5 repeated deploys are found in the last fifty heights (40 §15.8)", () => {
  const { dag, tip, blocks } = chainOf(59, { 9: [testDeploy(9)], 10: [testDeploy(10)], 59: [testDeploy(59)] });
  const fork = dag.add({
    creator: "v2",
    parents: [blocks[58]!],
    justifications: { v1: tip, v2: dag.genesis },
    deploys: [testDeploy(77)],
  });
  const check = (id: number, parents: readonly Block[]) => {
    const block = dag.make({ creator: "v2", parents, justifications: {}, deploys: [testDeploy(id)] });
    const metadata = parents.map(({ hash }) => dag.dag.require(hash));
    const status = checkRepeatDeploy(block, metadata, dag.dag);
    return status?.status === "InvalidRepeatDeploy" ? toHex(status.earlierBlock) : undefined;
  };
  expect(check(9, [tip])).toBeUndefined();
  expect(check(10, [tip])).toBe(toHex(blocks[10]!.hash));
  expect(check(59, [tip])).toBe(toHex(tip.hash));
  expect(check(77, [tip])).toBeUndefined();
  expect(check(77, [tip, fork])).toBe(toHex(fork.hash));
  // A parent counts, whatever its height.
  expect(check(9, [blocks[9]!, tip])).toBe(toHex(blocks[9]!.hash));
});

test("12 no justification goes back, unless to an invalid block", () => {
  const dag = new TestDag(stakes);
  const g = dag.genesis;
  const a1 = dag.add({ creator: "v2", parents: [g], justifications: { v1: g, v2: g } });
  const a2 = dag.add({ creator: "v2", parents: [a1], justifications: { v1: g, v2: a1 } });
  const b1 = dag.add({ creator: "v1", parents: [a2], justifications: { v1: g, v2: a2 } });
  const bad = dag.add({
    creator: "v2",
    parents: [a1],
    justifications: { v1: g, v2: g },
    invalid: true,
    sequenceNumber: 1,
  });
  const check = (v2: Block) => {
    const block = dag.make({ creator: "v1", parents: [b1], justifications: { v1: b1, v2 } });
    return checkJustificationRegression(block, dag.dag)?.status;
  };
  expect(check(a2)).toBeUndefined();
  expect(check(a1)).toBe("JustificationRegression");
  expect(check(bad)).toBeUndefined();
});

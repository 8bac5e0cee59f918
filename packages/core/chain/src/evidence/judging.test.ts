import { Block, type BlockFields, hashKey, type Justification, rnode, signBlock } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { beforeEach, describe, expect, test } from "vitest";
import { ArrivalNode, TestClock } from "../testing/ArrivalNode.js";
import { testGenesis, testKey } from "../testing/ProposeNetwork.js";
import { evidenceTag, printEvidence, readEvidence } from "./evidenceBytes.js";
import { equivocationEvidence } from "./SlashingEvidence.js";

const genesis = testGenesis({ v1: 1000, v2: 1000, v3: 500 }, evidenceTag);
const offender = testKey("v3").publicKey;

let clock: TestClock;
let v1: ArrivalNode;
let v2: ArrivalNode;
let sides: Block[];

/** The block with other fields, signed anew by its creator. */
function signedAnew(block: Block, name: string, change: Partial<BlockFields>): Block {
  return signBlock({ ...block, ...change }, testKey(name), rnode);
}

/** As a peer can change it: under the hash and the signature of the honest block. */
function forged(block: Block, change: Partial<BlockFields>): Block {
  return new Block({ ...block, ...change });
}

async function twin(): Promise<Block> {
  return (await new ArrivalNode("v3", genesis, clock).make())!;
}

beforeEach(async () => {
  clock = new TestClock();
  [v1, v2] = [new ArrivalNode("v1", genesis, clock), new ArrivalNode("v2", genesis, clock)];
  sides = [await twin(), await twin()];
});

describe("a block's statement", () => {
  test("names each offender with its proof, and is read as it was written", () => {
    const [left, right] = sides.map(({ hash }) => hash) as [Uint8Array, Uint8Array];
    const offence = equivocationEvidence(offender, left, right);
    const { justifications } = sides[0]!;
    const read = readEvidence(printEvidence(justifications, [offence]));
    expect(read?.offences).toEqual([offence]);
    expect(printEvidence(justifications, read!.offences)).toEqual(printEvidence(justifications, [offence]));
  });

  test("is none with another beginning, or of an impossible length", () => {
    const whole = printEvidence([], []);
    expect(readEvidence(new Uint8Array(0))).toBeUndefined();
    expect(readEvidence(whole.subarray(0, -1))).toBeUndefined();
    expect(readEvidence(Uint8Array.from([...whole, 1]))).toBeUndefined();
    expect(readEvidence(Uint8Array.from([...whole, ...new Uint8Array(128)]))).toBeUndefined();
  });
});

describe("a copy that a peer has changed", () => {
  test("is dropped, even where another block waits for it, and the honest copy is taken", async () => {
    const honest = (await v1.make())!;
    const justifications: Justification[] = honest.justifications.slice(1);
    const { chain } = v2.validator;
    for (const copy of [forged(honest, { justifications }), forged(honest, { sequenceNumber: 7 })]) {
      const { status, inserted } = await chain.process(copy, true);
      expect([status.status, inserted]).toEqual([
        copy.sequenceNumber === 7 ? "InvalidBlockHash" : "InvalidCommitment",
        false,
      ]);
    }
    await v2.receive(honest);
    expect(v2.verdictOn(honest)).toBe("Valid");
  });

  test("is known by itself, before anything is looked for that it names", async () => {
    const honest = (await v1.make())!;
    const { chain } = v2.validator;
    const justifications = honest.justifications.map((one) => ({ ...one, latestBlockHash: new Uint8Array(32) }));
    expect(chain.checkReferences(honest)).toBeUndefined();
    expect(chain.checkReferences(forged(honest, { justifications }))).toMatch("do not bind its justifications");
  });
});

describe("a validator that has both sides", () => {
  beforeEach(async () => {
    await v1.receive(sides[0]!);
    await v2.receive(sides[0]!, (await v1.make())!, sides[1]!);
  });

  test("takes the stake in the next block, and reports it", async () => {
    const block = (await v2.make())!;
    expect(block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["slash", "closeBlock"]);
    expect(readEvidence(block.extraBytes)?.offences.map(({ validatorKey }) => validatorKey)).toEqual([
      hashKey(offender),
    ]);
    await v1.receive(block, sides[1]!);
    expect(v1.verdictOn(block)).toBe("Valid");
    expect(v1.dag.hasSlashingEvidence(hashKey(offender))).toBe(true);
  });

  test("must not keep silent about it", async () => {
    const block = (await v2.make())!;
    const silent = signedAnew(block, "v2", { extraBytes: printEvidence(block.justifications, []) });
    await v1.receive(silent, sides[1]!);
    expect(v1.verdictOn(silent)).toBe("InvalidEvidence");
    expect(v1.dag.isInvalid(silent.hash)).toBe(true);
  });

  test("must not leave the stake", async () => {
    const block = (await v2.make())!;
    const { execution } = v2.validator;
    const lenient = { ...execution.plays.at(-1)!, systemDeploys: [{ kind: "closeBlock" }] as const };
    const played = await execution.play(lenient);
    if (played.kind !== "played") throw new TypeError("a test's block is not played");
    const neglecting = signedAnew(block, "v2", { body: played.body });
    await v1.receive(neglecting, sides[1]!);
    expect(v1.verdictOn(neglecting)).toBe("NeglectedEquivocation");
    expect(v1.dag.isInvalid(neglecting.hash)).toBe(true);
  });
});

describe("a side that is shorter than the one that all nodes have", () => {
  test("is named by the validator that receives it, and costs the stake", async () => {
    const offending = new ArrivalNode("v3", genesis, clock);
    const long = [(await offending.make())!];
    await v1.receive(...long);
    const answer = (await v1.make())!;
    await offending.receive(answer);
    long.push((await offending.make())!);
    for (const node of [v1, v2]) await node.receive(...long, answer);
    await v2.receive(sides[0]!);
    const block = (await v2.make())!;
    expect(block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["slash", "closeBlock"]);
    await v1.receive(block, sides[0]!);
    expect(v1.verdictOn(block)).toBe("Valid");
    const next = (await v1.make())!;
    expect(next.body.systemDeploys.map(({ systemDeploy }) => systemDeploy.kind)).toEqual(["closeBlock"]);
    await v2.receive(next);
    expect(v2.verdictOn(next)).toBe("Valid");
  });
});

describe("a validator that accuses an innocent one", () => {
  test("makes an invalid block, and costs itself the stake", async () => {
    const honest = (await v1.make())!;
    const { justifications } = honest;
    const lie = equivocationEvidence(testKey("v2").publicKey, sides[0]!.hash, sides[1]!.hash);
    const accusing = signedAnew(honest, "v1", { extraBytes: printEvidence(justifications, [lie]) });
    await v2.receive(accusing);
    expect(v2.verdictOn(accusing)).toBe("InvalidEvidence");
    const answer = (await v2.make())!;
    expect(
      answer.body.state.bonds.find(({ validator }) => hashKey(validator) === hashKey(testKey("v1").publicKey))?.stake,
    ).toBe(0n);
    expect(
      answer.body.state.bonds.find(({ validator }) => hashKey(validator) === hashKey(testKey("v2").publicKey))?.stake,
    ).toBe(1000n);
  });
});

describe("the past of a block", () => {
  test("must not be forgotten: no validator is justified by less than what a named block knew", async () => {
    await v1.receive(sides[0]!);
    const first = (await v1.make())!;
    await v2.receive(sides[0]!, first);
    const block = (await v2.make())!;
    const justifications = block.justifications.map((one) =>
      hashKey(one.validator) === hashKey(offender) ? { ...one, latestBlockHash: genesis.hash } : one,
    );
    const forgetful = signedAnew(block, "v2", { justifications, extraBytes: printEvidence(justifications, []) });
    await v1.receive(forgetful);
    expect(v1.verdictOn(forgetful)).toBe("JustificationRegression");
  });

  test("must not be built upon where it is invalid", async () => {
    const honest = (await v1.make())!;
    const invalid = signedAnew(honest, "v1", { shardId: "other" });
    await v2.receive(invalid);
    const block = (await v2.make())!;
    const parents = [invalid.hash];
    const onInvalid = signedAnew(block, "v2", { header: { ...block.header, parents } });
    const state = { ...block.body.state, blockNumber: 2n };
    const raised = signedAnew(onInvalid, "v2", { body: { ...block.body, state } });
    await v1.receive(invalid, raised);
    expect(v1.verdictOn(raised)).toBe("InvalidParents");
  });
});

describe("what is known of an offender", () => {
  test("stays over a restart, and further sides are dropped until a block builds on them", async () => {
    const store = new MemoryStore(tablesOf("chain"));
    const { execution } = v1.validator;
    const before = new ArrivalNode("v1", genesis, clock, { store, execution });
    await before.receive(...sides);
    const after = new ArrivalNode("v1", genesis, clock, { store, execution });
    expect(after.dag.hasSlashingEvidence(hashKey(offender))).toBe(true);
    expect(after.dag.unpunishedProofs().map(hashKey).sort()).toEqual(sides.map(({ hash }) => hashKey(hash)).sort());
    const third = await twin();
    await after.receive(third);
    expect(after.verdictOn(third)).toBe("IgnorableEquivocation");
    expect(after.dag.has(third.hash)).toBe(false);
    await v2.receive(third);
    const onThird = (await v2.make())!;
    await after.receive(onThird);
    expect([after.verdictOn(third), after.verdictOn(onThird)]).toEqual(["Valid", "Valid"]);
  });
});

import { emptyBytes, secp256k1PublicKeyOf, signHash } from "@vedette/crypto";
import {
  type ApprovedBlockCandidate,
  Block,
  type Body,
  type Bond,
  type Deploy,
  decodeBlock,
  hashBlock,
  type ProcessedDeploy,
  rnode,
  signDeploy,
} from "@vedette/protocol";
import { recordedBlocks, usualChains } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { approveCandidate } from "./approveCandidate.js";
import { CandidateApprovals } from "./CandidateApprovals.js";
import { checkApprovals } from "./checkApprovals.js";
import { checkCandidate, type ExpectedGenesis } from "./checkCandidate.js";
import { genesisBlock } from "./genesisBlock.js";

const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const keyOf = (seed: number) => {
  const privateKey = hashOf(seed);
  return {
    publicKey: secp256k1PublicKeyOf(privateKey),
    sign: (hash: Uint8Array) => signHash("secp256k1", hash, privateKey),
    privateKey,
    algorithm: "secp256k1" as const,
  };
};
const keys = [1, 2, 3].map(keyOf);
const bonds: readonly Bond[] = keys.map(({ publicKey }, index) => ({
  validator: publicKey,
  stake: BigInt(index + 1),
}));
const deployOf = (term: string): Deploy =>
  signDeploy(
    { term, timestamp: 1n, phloPrice: 0n, phloLimit: 100n, validAfterBlockNumber: 0n, shardId: "root" },
    keyOf(9),
  );
const deploys = ["Nil", "@1!(1)", "@2!(2)"].map(deployOf);
const processed = (deploy: Deploy, failed = false): ProcessedDeploy => ({
  ...{ deploy, failed, cost: 1n, log: [], systemDeployError: "" },
});
const bodyOf = (facts: Partial<Body> = {}, foundBonds = bonds): Body => ({
  state: { preStateHash: hashOf(7), postStateHash: hashOf(8), bonds: foundBonds, blockNumber: 0n },
  deploys: deploys.map((deploy) => processed(deploy)),
  systemDeploys: [],
  extraBytes: emptyBytes,
  rejectedDeploys: [],
  ...facts,
});
const content = { timestamp: 5n, shardName: "root", bonds, deploys, judgesByEvidence: false };
const genesis = genesisBlock(bodyOf(), content, rnode);
const candidate: ApprovedBlockCandidate = { block: genesis, requiredSignatures: 2 };

describe("the genesis block", () => {
  test("has no signature, has bonds in its own order, and is named by its content", () => {
    const { sender, signature, signatureAlgorithm, sequenceNumber, parents, justifications, shardId } = genesis;
    expect({ sender, signature, signatureAlgorithm, sequenceNumber, parents, justifications, shardId }).toEqual({
      ...{ sender: emptyBytes, signature: emptyBytes, signatureAlgorithm: "", sequenceNumber: 0, parents: [] },
      ...{ justifications: [], shardId: "root" },
    });
    expect(genesis.header).toMatchObject({ timestamp: 5n, version: 1n });
    expect(genesis.hash).toEqual(hashBlock(genesis, rnode));
    const reversed = genesisBlock(bodyOf({}, [...bonds].reverse()), { ...content, bonds: [...bonds].reverse() }, rnode);
    expect(reversed.hash).toEqual(genesis.hash);
  });

  test("is not made where a deploy failed, was left out, or bonds differ", () => {
    const make = (body: Body) => () => genesisBlock(body, content, rnode);
    const failed = deploys.map((deploy, index) => processed(deploy, index === 1));
    expect(make(bodyOf({ deploys: failed }))).toThrow(/^Deploy 2 of 3 of genesis failed.*@1!\(1\)/);
    const fewer = deploys.slice(1).map((deploy) => processed(deploy));
    expect(make(bodyOf({ deploys: fewer }))).toThrow(/^Deploy 1 of 3 of genesis failed/);
    expect(make(bodyOf({}, bonds.slice(1)))).toThrow(/has no stake for 04[0-9a-f]+ instead of a stake of 1/);
    const stranger = { validator: keyOf(5).publicKey, stake: 4n };
    expect(make(bodyOf({}, [...bonds, stranger]))).toThrow(/has a stake of 4 for 04[0-9a-f]+ instead of no stake/);
  });

  test.each(usualChains("solo", "trio", "merge"))("of %s comes out as it is in the chain", (chain) => {
    const recorded = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const { body, shardId: shardName, header } = recorded;
    const played: Body = {
      ...body,
      state: { ...body.state, bonds: [...body.state.bonds].reverse() },
      deploys: body.deploys.map((one) => ({ ...one, log: [...one.log].reverse() })),
    };
    const asked = { timestamp: header.timestamp, shardName, bonds: played.state.bonds, judgesByEvidence: false };
    const made = genesisBlock(played, { ...asked, deploys: body.deploys.map(({ deploy }) => deploy) }, rnode);
    expect(made.hash).toEqual(recorded.hash);
  });
});

describe("a genesis validator", () => {
  const expected: ExpectedGenesis = {
    ...{ requiredSignatures: 2, bonds: [...bonds].reverse(), deploys, shardName: "root", emptyStateHash: hashOf(7) },
    judgesByEvidence: false,
  };
  const replayed = { kind: "replayed", postStateHash: hashOf(8) } as const;
  const check = (block: Block, { outcome = replayed as object, found = bonds, requiredSignatures = 2 } = {}) =>
    checkCandidate({ block, requiredSignatures }, expected, {
      dialect: rnode,
      execution: { replay: async () => outcome as typeof replayed, bonds: async () => found },
    });
  /** A candidate with other facts, and the hash that belongs to them. */
  const changed = (facts: ConstructorParameters<typeof Block>[0] | object, body: Partial<Body> = {}): Block => {
    const fields = { ...genesis, body: { ...genesis.body, ...body }, ...facts };
    const fresh = { ...fields, cachedEncoding: undefined };
    return new Block({ ...fresh, hash: hashBlock(new Block(fresh), rnode) });
  };

  test("finds nothing wrong with the expected candidate, whatever its time", async () => {
    expect(await check(genesis)).toBeUndefined();
    expect(await check(changed({ header: { ...genesis.header, timestamp: 77n } }))).toBeUndefined();
  });

  test("refuses a candidate that founds a network of the other rule about equivocations", async () => {
    const founding = genesisBlock(bodyOf(), { ...content, judgesByEvidence: true }, rnode);
    expect(await check(founding)).toBe(
      "Candidate founds a network that judges by evidence but expected is one that judges by arrival.",
    );
  });

  test("refuses what its own configuration does not lead to, in the chapter's words", async () => {
    expect(await check(genesis, { requiredSignatures: 1 })).toBe("Candidate didn't have required signatures number.");
    const closing = { systemDeploy: { kind: "closeBlock" }, log: [], error: "" } as const;
    expect(await check(changed({}, { systemDeploys: [closing] }))).toBe("Candidate must not contain system deploys.");
    const richer = bonds.map((bond, index) => (index === 0 ? { ...bond, stake: 9n } : bond));
    expect(await check(changed({}, { state: { ...genesis.body.state, bonds: richer } }))).toBe(
      "Block bonds don't match expected.",
    );
    expect(await check(changed({}, { deploys: genesis.body.deploys.slice(1) }))).toBe(
      "Mismatch between number of candidate deploys and expected number of deploys.",
    );
    const long = `@3!("${"x".repeat(200)}")`;
    const other = genesis.body.deploys.map((one, index) => (index === 0 ? one : processed(deployOf(long))));
    expect(await check(changed({}, { deploys: other }))).toBe(
      "Genesis candidate deploys do not match expected blessed contracts.\nBad contracts (5 first):\n" +
        `${long.slice(0, 100)}\n${long.slice(0, 100)}`,
    );
  });

  test("refuses what does not replay to the stated state and bonds", async () => {
    const failed = { kind: "failed", message: "UnusedCOMMEvent" };
    expect(await check(genesis, { outcome: failed })).toBe("Failed status during replay: UnusedCOMMEvent.");
    expect(await check(genesis, { outcome: { ...replayed, postStateHash: hashOf(9) } })).toBe(
      "Tuplespace hash mismatch.",
    );
    expect(await check(genesis, { found: bonds.slice(1) })).toBe("Tuplespace bonds don't match expected ones.");
  });

  test("refuses what no joining node would take", async () => {
    expect(await check(new Block({ ...genesis, hash: hashOf(1) }))).toBe(
      "Candidate's hash is not that of its content.",
    );
    expect(await check(changed({ shardId: "other" }))).toBe("Candidate is in shard 'other' but expected is 'root'.");
    expect(await check(changed({ header: { ...genesis.header, parents: [hashOf(3)] } }))).toBe(
      "Candidate is not a genesis block.",
    );
    expect(await check(changed({}, { state: { ...genesis.body.state, preStateHash: hashOf(1) } }))).toBe(
      "Candidate does not begin at the empty state.",
    );
    const forged = genesis.body.deploys.map((one) => ({ ...one, deploy: { ...one.deploy, phloLimit: 1n } }));
    expect(await check(changed({}, { deploys: forged }))).toMatch(/^Candidate has a deploy with a bad signature/);
  });
});

describe("the approvals of a candidate", () => {
  test("count once for each bonded validator", () => {
    const approvals = new CandidateApprovals(candidate, rnode);
    expect(approvals.add(approveCandidate(candidate, keyOf(9)))).toBe("untrusted");
    const [first, second] = [approveCandidate(candidate, keys[0]!), approveCandidate(candidate, keys[1]!)];
    expect(approvals.add({ candidate, signature: { ...first.signature, signature: second.signature.signature } })).toBe(
      "invalid",
    );
    expect(approvals.add({ candidate, signature: { ...first.signature, algorithm: "SECP256K1" } })).toBe("invalid");
    expect(approvals.add({ ...first, candidate: { ...candidate, requiredSignatures: 1 } })).toBe("invalid");
    expect(approvals.add(first)).toBe("added");
    expect(approvals.add(first)).toBe("repeated");
    expect(approvals.count).toBe(1);
    expect(approvals.isComplete(true)).toBe(false);
    expect(approvals.add(second)).toBe("added");
    expect([approvals.isComplete(false), approvals.isComplete(true)]).toEqual([false, true]);
    expect(approvals.add(approveCandidate(candidate, keys[2]!))).toBe("added");
    expect(approvals.isComplete(false)).toBe(true);
    const { isEnough, signers } = checkApprovals(approvals.approvedBlock(), rnode);
    expect([isEnough, signers.length]).toEqual([true, 3]);
  });
});

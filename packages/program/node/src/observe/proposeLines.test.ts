import { lineOf } from "@vedette/config/log";
import { textOf } from "@vedette/config/testing";
import { emptyBytes } from "@vedette/crypto";
import { Block, type BlockFields } from "@vedette/protocol";
import { expect, test } from "vitest";
import { printElapsed, proposeLines } from "./proposeLines.js";

const hash = new Uint8Array(32).fill(0xab);
const fields: BlockFields = {
  hash,
  header: { parents: [hash], timestamp: 0n, version: 1n, extraBytes: emptyBytes },
  body: {
    state: { preStateHash: emptyBytes, postStateHash: emptyBytes, bonds: [], blockNumber: 7n },
    deploys: [],
    systemDeploys: [],
    extraBytes: emptyBytes,
    rejectedDeploys: [],
  },
  justifications: [],
  sender: emptyBytes,
  sequenceNumber: 3,
  signature: emptyBytes,
  signatureAlgorithm: "",
  shardId: "root",
  extraBytes: emptyBytes,
};
const block = new Block(fields);
const say = (event: Parameters<typeof lineOf<Parameters<(typeof proposeLines)[keyof typeof proposeLines]>[0]>>[1]) =>
  textOf(lineOf(proposeLines, event));

test("the lines that people and scripts watch are rnode's", () => {
  expect(say({ type: "creatingBlock", number: 7n, sequenceNumber: 3 })).toBe("Creating block #7 (seqNum 3)");
  expect(say({ type: "blockCreated", block, elapsedMs: 1530 })).toBe(
    "Block created: #7 (ababababab...) (0d) [1.5 sec]",
  );
  expect(say({ type: "proposeStarted" })).toBe("Propose started");
  expect(say({ type: "proposeFinished", result: { status: "Success", block, sequenceNumber: 3 } })).toBe(
    "Propose finished: ProposeSuccess(Valid) Block #7 (ababababab...) created and added.\n" +
      `Success! Block ${"ab".repeat(32)} created and added.`,
  );
  expect(say({ type: "proposeFinished", result: { status: "NoNewDeploys", sequenceNumber: 3 } })).toBe(
    "Propose failed: NoNewDeploys",
  );
  expect(
    say({ type: "synchronyMeasured", senders: 1, weight: 10n, total: 20n, value: 0.5, threshold: Math.fround(0.33) }),
  ).toBe("Seen 1 senders with weight 10 out of total 20 (0.5 out of 0.33000001311302185 needed)");
  expect(say({ type: "deploysRemoved", count: 2, blockHash: hash })).toBe(
    "Removed 2 deploys from deploy history as we finalized block [ababababab...].",
  );
  expect(say({ type: "heartbeatStarted", delayMs: 1666, checkIntervalMs: 5000, maximumLfbAgeMs: 60_000 })).toBe(
    "Heartbeat: Starting with random initial delay of 2s (check interval: 5s, max LFB age: 60s, signal-based wake enabled)",
  );
});

test("a deploy is logged in one line that it cannot forge", () => {
  const deploy = {
    deployer: emptyBytes,
    term: "Nil",
    timestamp: 12n,
    signature: new Uint8Array(70).fill(0x30),
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 1n,
    validAfterBlockNumber: -1n,
    shardId: "root",
  } as const;
  const id = "30".repeat(10);
  expect(say({ type: "deployReceived", deploy })).toBe(
    `Received DeployData #12 -- Nil, Sig: ${id}...${id}, SigAlgorithm: secp256k1, ValidAfterBlockNumber: -1`,
  );
  const term = `Nil\n[INFO] forged \u001b[31m${"x".repeat(10_000)}`;
  const text = say({ type: "deployReceived", deploy: { ...deploy, term } });
  expect(text).toMatch(/^Received DeployData #12 -- Nil \[INFO\] forged +\[31mx+, Sig: /);
  expect(text?.length).toBeLessThan(300);
});

test("a failure is logged with the block, the check, and what was found", () => {
  const [computed, stated] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  const refused = "Validation of self created block #7 (ababababab...) failed with reason:";
  expect(
    say({
      type: "ownBlockRefused",
      block,
      status: { status: "InvalidTransaction", problem: "postState", computed, stated },
    }),
  ).toBe(
    `${refused} InvalidTransaction, cancelling propose.\n` +
      `The state that it leads to is ${"01".repeat(32)}, but it states ${"02".repeat(32)}.`,
  );
  expect(say({ type: "ownBlockRefused", block, status: { status: "BlockException", message: "no such state" } })).toBe(
    `${refused} BlockException, cancelling propose.\nno such state`,
  );
  const reason = "time limit of 160 ms for one deploy: stopped after 171 ms";
  expect(say({ type: "deployGivenUp", signature: hash, number: 7n, reason })).toBe(
    `Deploy ababababab... cannot be executed in block #7 and is refused: ${reason}`,
  );
});

test("deploys that a merge loses are named", () => {
  const [main, floor] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  const [lost, repeated] = [[hash], []];
  expect(say({ type: "deploysHarmed", lost, repeated, main, floor })).toBe(
    "Merge goes back from 0101010101... to the final block 0202020202...: 1 deploys lost, 0 repeated. " +
      `Lost deploys have to be signed again.\nlost ${"ab".repeat(32)}`,
  );
  expect(say({ type: "parentsExchanged", parents: 3, main })).toBe(
    "Other parents chosen so that no deploy is lost: 3, the first 0101010101...",
  );
});

test("times are a number and its unit", () => {
  expect([12.34, 999.9, 1000, 59_949, 60_000, 125_000].map(printElapsed)).toEqual([
    "12.3 ms",
    "999.9 ms",
    "1.0 sec",
    "59.9 sec",
    "1.0 min",
    "2.1 min",
  ]);
});

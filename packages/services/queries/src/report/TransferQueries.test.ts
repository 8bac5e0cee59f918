import type { BlockMetadata } from "@vedette/chain";
import { emptyBytes } from "@vedette/crypto";
import type { QueryReaders } from "@vedette/executor/threads";
import { Block, type ProcessedDeploy } from "@vedette/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { longestWait, TransferQueries } from "./TransferQueries.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const metadata = { key: "a" } as BlockMetadata;
const deploy: ProcessedDeploy = {
  deploy: {
    deployer: new Uint8Array(65).fill(4),
    term: "Nil",
    timestamp: 1n,
    signature: new Uint8Array(64),
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 1n,
    validAfterBlockNumber: 0n,
    shardId: "root",
  },
  cost: 1n,
  log: [],
  failed: false,
  systemDeployError: "",
};
const hash = new Uint8Array(32);
const block = new Block({
  hash,
  header: { parents: [], timestamp: 1n, version: 1n, extraBytes: emptyBytes },
  body: {
    state: { preStateHash: hash, postStateHash: hash, bonds: [], blockNumber: 1n },
    deploys: [deploy],
    systemDeploys: [],
    extraBytes: emptyBytes,
    rejectedDeploys: [],
  },
  justifications: [],
  sender: emptyBytes,
  sequenceNumber: 1,
  signature: emptyBytes,
  signatureAlgorithm: "secp256k1",
  shardId: "root",
  extraBytes: emptyBytes,
});

test("the transfers of a block are awaited for a while, and requested once", async () => {
  let asked = 0;
  let answer: (transfers: unknown) => void = () => {};
  const call = () => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const queries = new TransferQueries({ call } as unknown as QueryReaders);
  const untilMs = longestWait();
  const [first, second] = [
    queries.ofBlock(metadata, () => block, untilMs),
    queries.ofBlock(metadata, () => block, untilMs),
  ];
  await vi.advanceTimersByTimeAsync(untilMs - performance.now());
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  const third = queries.ofBlock(metadata, () => block);
  answer([{ kind: "found", value: { deploys: [[]], systemDeploys: [] } }]);
  expect(await third).toEqual(new Map());
  expect(await queries.ofBlock(metadata, () => block)).toEqual(new Map());
  expect(asked).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("transfers that a reader does not know are requested again", async () => {
  let asked = 0;
  const call = async () => {
    asked += 1;
    if (asked === 1) throw new Error("too many");
    return [{ kind: asked === 2 ? "notYet" : "never" }];
  };
  const queries = new TransferQueries({ call } as unknown as QueryReaders);
  for (const count of [1, 2, 3]) {
    expect(await queries.ofBlock(metadata, () => block)).toBeUndefined();
    expect(asked).toBe(count);
  }
});

import { blake2b256 } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { deployLifespan } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { decisionOf } from "./blockDecision.js";
import { fateInBlock, fateOutside } from "./deployFate.js";
import { undecidedKey } from "./undecidedBlocks.js";

const deploy = { validAfterBlockNumber: 10n } as Parameters<typeof fateInBlock>[0];
const fresh = { isPooled: true, nextBlockNumber: 10n, nowMs: 7_000, retriesRejected: false };

test("a deploy of a final block is final, failed, or rejected by a merge", () => {
  const inclusion = { decision: "finalized", isRejected: false, hasFailed: false } as const;
  expect(fateInBlock(deploy, inclusion, fresh)).toBe("finalized");
  expect(fateInBlock(deploy, { ...inclusion, hasFailed: true }, fresh)).toBe("failed");
  expect(fateInBlock(deploy, { ...inclusion, hasFailed: true, isRejected: true }, fresh)).toBe("rejected");
});

test("a deploy of a block that is not decided is included; one of a block that was forked away waits again", () => {
  const inclusion = { decision: "pending", isRejected: false, hasFailed: true } as const;
  expect(fateInBlock(deploy, inclusion, fresh)).toBe("included");
  expect(fateInBlock(deploy, { ...inclusion, decision: "forkedAway" }, fresh)).toBe("pending");
});

test("a deploy can be in a block for a number of blocks, then it has expired, in the pool or not", () => {
  const last = 10n + deployLifespan - 1n;
  expect(fateOutside(deploy, { ...fresh, nextBlockNumber: last })).toBe("pending");
  expect(fateOutside(deploy, { ...fresh, isPooled: false, nextBlockNumber: last })).toBe("forkedAway");
  expect(fateOutside(deploy, { ...fresh, nextBlockNumber: last + 1n })).toBe("expired");
});

test("a deploy that says so expires by time, too", () => {
  const until = (expirationTimestamp: bigint) => fateOutside({ ...deploy, expirationTimestamp }, fresh);
  expect([until(6_999n), until(7_000n)]).toEqual(["expired", "pending"]);
});

test("a rejected deploy waits again on networks of the newer node, as long as somebody can propose it", () => {
  const inclusion = { decision: "finalized", isRejected: true, hasFailed: false } as const;
  const newer = { ...fresh, retriesRejected: true };
  expect(fateInBlock(deploy, inclusion, newer)).toBe("pending");
  expect(fateInBlock(deploy, inclusion, { ...newer, isPooled: false })).toBe("rejected");
  expect(fateInBlock({ ...deploy, expirationTimestamp: 1n }, inclusion, newer)).toBe("rejected");
});

test("a block is decided by finality, by its height, and by what is noted as undecided", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const block = (number: bigint, finalized = false) =>
    ({ hash: blake2b256(new Uint8Array([Number(number)])), number, finalized }) as BlockMetadata;
  const dag = { lastFinalized: () => block(5n, true) };
  expect(decisionOf(block(3n, true), dag, store)).toBe("finalized");
  expect(decisionOf(block(6n), dag, store)).toBe("pending");
  expect(decisionOf(block(6n), { lastFinalized: () => undefined }, store)).toBe("pending");
  expect(decisionOf(block(5n), dag, store)).toBe("forkedAway");
  const { number, hash } = block(5n);
  store.write((tables) => tables("undecidedBlocks").put(undecidedKey(number, hash), new Uint8Array(0)));
  expect(decisionOf(block(5n), dag, store)).toBe("pending");
});

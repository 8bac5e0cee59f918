import { bondTerm, transferTerm } from "@vedette/client";
import { proofOfStakeAddress } from "@vedette/execution";
import { expect, test } from "vitest";
import { programReaderOf } from "./programRules.js";
import { type KnownTransfers, type SummedUpDeploy, summarizeDeploy } from "./summarizeDeploy.js";

const from = "1111R4PGFk5wHNzjx8VzEHZG7Z4ikxcCgH9RMaM441gi8LfQohYG2";
const to = "11112brKu2ej8aNjeHbUGgJ8Ma67WghgxSUPtC9aR1MKkjpSixztRL";
const term = transferTerm(from, to, 12n, "rnode");
const moved = { from, to, amount: 12n, failReason: undefined };
const transfer = { type: "transfer", from, to, amount: 12n, reason: null };
const unknown: KnownTransfers = { kind: "unknown" };
const known = (...transfers: (typeof moved | (Omit<typeof moved, "failReason"> & { failReason: string }))[]) => {
  return { kind: "known", transfers } as const;
};

function summary(deploy: Partial<SummedUpDeploy>) {
  return summarizeDeploy({ term, run: "ran", transfers: unknown, ...deploy }, programReaderOf(undefined));
}

test("a transfer is done where the node has recorded it, and requested where it has not looked", () => {
  expect(summary({ transfers: known(moved) })).toEqual([{ ...transfer, outcome: "done" }]);
  expect(summary({ transfers: unknown })).toEqual([{ ...transfer, outcome: "ran" }]);
  expect(summary({ run: "notRun" })).toEqual([{ ...transfer, outcome: "asked" }]);
  expect(summary({ transfers: known() })).toEqual([{ ...transfer, outcome: "undone" }]);
});

test("a transfer that the vault refused has the reason", () => {
  const refused = { ...moved, failReason: "Insufficient funds" };
  expect(summary({ transfers: known(refused) })).toEqual([
    { ...transfer, outcome: "undone", reason: "Insufficient funds" },
  ]);
});

test("what contracts moved is reported, too, and the same amount twice is two transfers", () => {
  const others = { from: to, to: from, amount: 1n, failReason: undefined };
  expect(summary({ transfers: known(others, moved) })).toEqual([
    { ...transfer, from: to, to: from, amount: 1n, outcome: "done" },
    { ...transfer, outcome: "done" },
  ]);
  expect(summary({ term: `${term} | ${term}`, transfers: known(moved) }).map((fact) => fact)).toEqual([
    { ...transfer, outcome: "done" },
    { ...transfer, outcome: "undone" },
  ]);
});

test("where only one vault's transfers are known, those of others are not reported", () => {
  const ofVault = (vault: string, ...transfers: (typeof moved)[]) => ({ kind: "ofVault", vault, transfers }) as const;
  expect(summary({ transfers: ofVault(from, moved) })).toEqual([{ ...transfer, outcome: "done" }]);
  expect(summary({ transfers: ofVault(from) })).toEqual([{ ...transfer, outcome: "undone" }]);
  const elsewhere = "11112CnWA1Cn3hqPATkkFvZNWLiNbs7tadWMjBeJXpC6eVUmrWTjuL";
  expect(summary({ transfers: ofVault(elsewhere) })).toEqual([{ ...transfer, outcome: "ran" }]);
});

test("a stake is bonded where it came to proof of stake", () => {
  const stake = { from, to: proofOfStakeAddress, amount: 12n, failReason: undefined };
  const bond = { type: "bond", amount: 12n };
  expect(summary({ term: bondTerm(12n, "rnode"), transfers: known(stake) })).toEqual([{ ...bond, outcome: "done" }]);
  expect(summary({ term: bondTerm(12n, "rnode"), transfers: known() })).toEqual([{ ...bond, outcome: "undone" }]);
  expect(summary({ term: bondTerm(12n, "rnode") })).toEqual([{ ...bond, outcome: "ran" }]);
});

test("a failed deploy is reported as failed first, and nothing that it requested is done", () => {
  const reverted = { ...moved, failReason: "The deploy failed afterwards." };
  expect(summary({ run: { failed: { reason: "Oops", line: 3 } }, transfers: known(reverted) })).toEqual([
    { type: "failed", reason: "Oops", line: 3 },
    { ...transfer, outcome: "undone", reason: "The deploy failed afterwards." },
  ]);
  expect(summary({ run: { failed: { reason: undefined, line: undefined } } })).toEqual([
    { type: "failed", reason: null, line: null },
    { ...transfer, outcome: "undone" },
  ]);
  expect(summary({ run: "lost" })).toEqual([{ ...transfer, outcome: "undone" }]);
});

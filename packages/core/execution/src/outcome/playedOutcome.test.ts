import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import { mergeableIdOf } from "../merge/mergeableStore.js";
import { F1r3nodeTestChain } from "../testing/F1r3nodeTestChain.js";
import { walletTransferTerm } from "../testing/walletTerms.js";
import { findNotes, findTransfers } from "./outcomeRecord.js";

const [from, to] = ["u1", "u2"].map((name) => testAddress(name)) as [string, string];

/** A transfer, and then something else. */
function transferThen(amount: bigint, after: string): string {
  const done = `stdout!(("Transfer successful:", ${amount}, "ASI"))`;
  const term = walletTransferTerm(from, to, amount);
  expect(term).toContain(done);
  return term.replace(done, `stdout!("moved") | ${after}`);
}

/** Returns each deploy's stored outcome: its own transfers, its error, its output. */
function outcomeOf(on: F1r3nodeTestChain, block: Block) {
  const id = mergeableIdOf(block);
  const transfers = findTransfers(on.store, id)!;
  expect(transfers.systemDeploys.map((parts) => parts.length)).toEqual([1]);
  const notes = findNotes(on.store, id)!;
  return transfers.deploys.map((parts, at) => ({
    parts: parts.length,
    moved: parts
      .flat()
      .flatMap((one) => (one.to === to ? [`${one.amount}${one.isReverted ? " taken back" : ""}`] : [])),
    faults: notes[at]!.faults.length,
    prints: notes[at]!.prints.map(({ text }) => text),
  }));
}

// That a replay notes the same to the byte is looked at by the chain of the test, for every block of every test on it.
test("transfers and notes of a block are stored where it is made, and none of the deploys that were left out", () => {
  const on = new F1r3nodeTestChain();
  const term = {
    plain: transferThen(7n, "Nil"),
    failing: transferThen(8n, "@0!(1 + true)"),
    endless: transferThen(9n, "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }"),
    unreadable: "new x in {",
    silent: "Nil",
  };
  const terms = ["endless", "plain", "endless", "failing", "unreadable", "silent", "endless"] as const;
  const deploys = terms.map((name) => ({ deployer: "u1", term: term[name], phloLimit: 1_000_000_000n }));
  const all = [...deploys, { deployer: "unfunded", term: term.plain }];
  const anyTime = { maximumMs: Number.POSITIVE_INFINITY, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };
  const tries = all.map(({ term: program }, index) =>
    program === term.endless ? { ...anyTime, index, maximumMs: 100 } : { ...anyTime, index },
  );
  let nowMs = 0;
  const { block, played } = on.add({ deploys: all, tries, limits: { nowMs: () => (nowMs += 10) } });
  expect(played.deploys.map(({ failed }) => failed)).toEqual([false, true, true, false, false]);
  expect(outcomeOf(on, block)).toEqual([
    { parts: 3, moved: ["7"], faults: 0, prints: ['"moved"'] },
    // The program's part and that of the refund are one, where the program failed (41 §8.2).
    { parts: 2, moved: ["8 taken back"], faults: 1, prints: ['"moved"'] },
    { parts: 2, moved: [], faults: 1, prints: [] },
    { parts: 2, moved: [], faults: 0, prints: [] },
    { parts: 1, moved: [], faults: 0, prints: [] },
  ]);
});

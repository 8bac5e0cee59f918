import { MemoryStore, tablesOf } from "@vedette/store";
import { mergeableKey } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { findMergeable, putMergeable } from "../merge/mergeableStore.js";
import { encodeNotes } from "../note/noteRecord.js";
import type { BlockTransfers } from "../report/Transfer.js";
import { encodeTransfers } from "../report/transferRecord.js";
import { findNotes, findTransfers, writeOutcome } from "./outcomeRecord.js";

const id = { postState: new Uint8Array(32).fill(7), sender: new Uint8Array(65).fill(4), sequenceNumber: 1 };
const others = [
  { ...id, sequenceNumber: 2 },
  { ...id, sender: new Uint8Array(65).fill(5) },
  { ...id, postState: new Uint8Array(32).fill(8) },
];
const empty = { faults: [], prints: [], isCut: false };
const failed = { ...empty, faults: [{ class: "ReduceError", text: "wrong" }] };
const transfer = {
  ...{ from: "1111a", to: "1111b", amount: -5n, answerName: Uint8Array.of(1, 2) },
  ...{ failure: undefined, isReverted: true },
};
const transfers: BlockTransfers = { deploys: [[[transfer, transfer], []], [], []], systemDeploys: [[[]]] };
const newStore = () => new MemoryStore(tablesOf("state"));

describe("the transfers and notes of a block", () => {
  test.each([
    ["with notes", [empty, failed, empty]],
    ["without any", [empty, empty, empty]],
  ])("is found again under its state, maker and number alone, %s", (_, notes) => {
    const store = newStore();
    expect([findTransfers(store, id), findNotes(store, id)]).toEqual([undefined, undefined]);
    store.write((tables) => writeOutcome(tables, id, { transfers, notes }));
    expect(findTransfers(store, id)).toEqual(transfers);
    expect(findNotes(store, id)).toEqual(notes);
    for (const other of others)
      expect([findTransfers(store, other), findNotes(store, other)]).toEqual([undefined, undefined]);
  });

  test("is read as earlier versions kept it", () => {
    const store = newStore();
    const key = mergeableKey(id.postState, id.sender, id.sequenceNumber);
    store.write((tables) => {
      tables("transfers").put(key, encodeTransfers(transfers));
      tables("deployNotes").put(key, encodeNotes([empty, failed, empty]));
      tables("mergeable").put(key, Uint8Array.of(0, 0));
    });
    expect(findTransfers(store, id)).toEqual(transfers);
    expect(findNotes(store, id)).toEqual([empty, failed, empty]);
    expect(findMergeable(store, id)).toEqual([]);
    putMergeable(store, id, [new Map([["07".repeat(32), 3n]])]);
    expect(findMergeable(store, id)).toEqual([new Map([["07".repeat(32), 3n]])]);
  });

  test("is refused where the record is cut off", () => {
    const store = newStore();
    store.write((tables) => writeOutcome(tables, id, { transfers, notes: [failed] }));
    const [[key, record]] = [...store.table("outcomes").range()] as [readonly [Uint8Array, Uint8Array]];
    for (const length of [0, 1, 5, 20]) {
      store.write((tables) => tables("outcomes").put(key, record.subarray(0, length)));
      expect(() => findTransfers(store, id)).toThrow();
      expect(() => findNotes(store, id)).toThrow();
    }
  });
});

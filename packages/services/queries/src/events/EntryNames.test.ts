import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { EntryNames } from "./EntryNames.js";

const stream = "blocks";

test("entries before the first name are at other followers for a minute, and gone then", () => {
  let nowMs = 1_000_000;
  const store = new MemoryStore(tablesOf("chain"));
  const names = new EntryNames(store, () => nowMs);
  names.follow(stream);
  store.write((tables) => names.hold(tables, stream));
  names.taking({ stream, sequence: 824 });
  store.write((tables) => names.add(tables, 40, 2));
  names.taking(undefined);
  const { log } = names.nameOf(40)!;
  const find = (sequence: number) => names.find({ log, sequence, nth: 0 });
  expect(find(824)).toEqual({ kind: "here", entry: 40 });
  expect([find(823), find(825)]).toEqual([{ kind: "ahead" }, { kind: "ahead" }]);
  nowMs += 59_999;
  expect(find(823)).toEqual({ kind: "ahead" });
  nowMs += 1;
  expect([find(823), find(825)]).toEqual([{ kind: "gone" }, { kind: "ahead" }]);
});

test("where all entries have names, one before them is gone at once", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const names = new EntryNames(store);
  names.follow(stream);
  names.taking({ stream, sequence: 5 }, true);
  store.write((tables) => names.add(tables, 1, 1));
  const { log } = names.nameOf(1)!;
  expect(names.find({ log, sequence: 4, nth: 0 })).toEqual({ kind: "gone" });
});

import { hashKey } from "@vedette/protocol";
import { MemoryStore, type ReadableTable, type Store, StoreError, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { TestDag, validatorKey } from "../testing/TestDag.js";
import { Dag } from "./Dag.js";

/** Reports damage in the entries of one table. */
class DamagedStore extends MemoryStore {
  damagedTable: string | undefined;

  override table(name: Parameters<Store["table"]>[0]): ReadableTable {
    const table = super.table(name);
    const whole = () => {
      if (this.damagedTable === name)
        throw new StoreError({ code: "damaged", path: "memory", reason: "a checksum is wrong" });
      return table;
    };
    return {
      get: (key) => whole().get(key),
      has: (key) => whole().has(key),
      range: (range) => whole().range(range),
      count: () => whole().count(),
    };
  }
}

test.each(["latestMessages", "invalidBlocks", "offences", "lastFinalized"])(
  "entries of %s that cannot be read after a transaction was undone are an error of each reader, not absent",
  (damaged) => {
    const store = new DamagedStore(tablesOf("chain"));
    const made = new TestDag({ v1: 1 });
    const dag = new Dag(store);
    const latest = () => dag.latestMessage(hashKey(validatorKey("v1")));
    dag.insert(made.genesis, { invalid: false, approved: true });
    const block = made.make({ creator: "v1", parents: [made.genesis], justifications: { v1: made.genesis } });
    expect(() =>
      store.together(() => {
        dag.insert(block, { invalid: false, approved: false });
        store.damagedTable = damaged;
        throw new TypeError("the transaction is undone");
      }),
    ).toThrow("undone");

    dag.reload();
    for (const read of [latest, () => dag.lastFinalized(), () => dag.invalidBlocks(), () => dag.unpunishedProofs()])
      expect(read).toThrow("a checksum is wrong");
    store.damagedTable = undefined;
    expect([latest(), dag.lastFinalized()?.hash]).toEqual([made.genesis.hash, made.genesis.hash]);
    expect(dag.has(block.hash)).toBe(false);
  },
);

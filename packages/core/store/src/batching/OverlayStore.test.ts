import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { MemoryStore } from "../memory/MemoryStore.js";
import { storeContract } from "../testing/storeContract.js";
import { OverlayStore } from "./OverlayStore.js";

const tables = ["history", "roots", "cold"] as const;
const directory = mkdtempSync(join(tmpdir(), "vedette-scratch-"));
afterAll(() => rmSync(directory, { recursive: true }));

storeContract("OverlayStore", async () => ({
  store: new OverlayStore(new MemoryStore(tables)),
  remove: async () => undefined,
}));

test("what is written on data that are open for reading alone is seen here, and nowhere else", async () => {
  const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)];
  {
    await using made = new LmdbStore(directory, { tables });
    made.write((of) => of("history").put(one, one));
  }
  {
    await using scratch = new OverlayStore(new LmdbStore(directory, { tables, readOnly: true }));
    scratch.write((of) => {
      of("history").delete(one);
      of("history").put(two, two);
    });
    await scratch.sync();
    expect([...scratch.table("history").range()]).toEqual([[two, two]]);
  }
  await using again = new LmdbStore(directory, { tables });
  expect([...again.table("history").range()].map(([key]) => [...key])).toEqual([[1]]);
});

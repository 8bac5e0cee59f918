import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { MemoryStore } from "../memory/MemoryStore.js";
import type { Range, Store } from "../Store.js";
import { storeContract } from "../testing/storeContract.js";
import { BatchingStore } from "./BatchingStore.js";

const tables = ["history", "roots", "cold"] as const;

storeContract("BatchingStore", async () => {
  const directory = mkdtempSync(join(tmpdir(), "vedette-grouped-"));
  return {
    store: new BatchingStore(new LmdbStore(join(directory, "state"), { tables })),
    remove: async () => rmSync(directory, { recursive: true }),
  };
});

const key = (number: number) => Uint8Array.of(number);
const content = (store: Store, range?: Range) =>
  [...store.table("history").range(range)].map(([one, value]) => [one[0], value[0]]);

test("nothing is below before a flush, all of it afterwards, and what was not flushed is given up", async () => {
  const below = new MemoryStore(tables);
  const store = new BatchingStore(below);
  store.write((of) => of("history").put(key(1), key(1)));
  store.write((of) => of("roots").put(key(2), key(2)));
  expect([content(below), below.table("roots").count()]).toEqual([[], 0]);
  expect(store.heldBytes).toBe(4);
  store.flush();
  expect([content(below), below.table("roots").count(), store.heldBytes]).toEqual([[[1, 1]], 1, 0]);
  store.write((of) => of("history").delete(key(1)));
  expect([content(store), store.table("history").count(), content(below)]).toEqual([[], 0, [[1, 1]]]);
});

test("what is flushed comes in the order of its keys, however it was written", () => {
  const below = new MemoryStore(tables);
  const store = new BatchingStore(below);
  for (const number of [5, 1, 9, 3]) store.write((of) => of("history").put(key(number), key(number)));
  store.write((of) => of("history").delete(key(1)));
  const written: number[] = [];
  const { write } = below;
  below.write = (work) =>
    write.call(below, (of) =>
      work((name) => {
        const table = of(name);
        const noting =
          (change: "put" | "delete") =>
          (one: Uint8Array, ...value: readonly Uint8Array[]): void => {
            written.push(one[0]!);
            table[change](one, ...(value as [Uint8Array]));
          };
        return Object.assign(Object.create(table), { put: noting("put"), delete: noting("delete") });
      }),
    );
  store.flush();
  expect(written).toEqual([1, 3, 5, 9]);
  expect(content(below)).toEqual([3, 5, 9].map((number) => [number, number]));
});

test("a flush that fails leaves everything held, so that it can be tried again", () => {
  const below = new MemoryStore(tables);
  const store = new BatchingStore(below);
  store.write((of) => of("history").put(key(1), key(1)));
  const { write } = below;
  below.write = () => {
    throw new Error("the disk is full");
  };
  expect(() => store.flush()).toThrow("the disk is full");
  expect(content(store)).toEqual([[1, 1]]);
  below.write = write;
  store.flush();
  expect(content(below)).toEqual([[1, 1]]);
});

test("reports how much it holds after each write, and takes nothing beyond what memory is meant for", () => {
  const store = new BatchingStore(new MemoryStore(tables), { maxHeldBytes: 2_560 });
  const held: number[] = [];
  store.onHeld = (bytes) => held.push(bytes);
  const large = new Uint8Array(1_000);
  for (let number = 0; number < 3; number += 1) store.write((of) => of("cold").put(key(number), large));
  expect(held).toEqual([1, 2, 3].map((count) => count * (large.length + 1)));
  expect(() => store.write((of) => of("cold").delete(key(1)))).toThrow("too much is held in memory");
  store.flush();
  store.together(() => store.write((of) => of("cold").delete(key(1))));
  expect(held.at(-1)).toBe(1);
});

const anyByte = fc.nat({ max: 12 });
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), key: anyByte, value: anyByte }),
  fc.record({ kind: fc.constant("delete" as const), key: anyByte }),
  fc.record({ kind: fc.constant("flush" as const) }),
  fc.record({ kind: fc.constant("undone" as const), key: anyByte, value: anyByte }),
);
const anyRange = fc.record(
  { from: anyByte.map(key), to: anyByte.map(key), reverse: fc.boolean(), limit: fc.nat({ max: 5 }) },
  { requiredKeys: [] },
);

test("whatever is written and flushed in turns, it reads as a store without groups", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), fc.array(anyRange, { maxLength: 4 }), (steps, ranges) => {
      const plain = new MemoryStore(tables);
      const store = new BatchingStore(new MemoryStore(tables));
      for (const step of steps) {
        if (step.kind === "flush") store.flush();
        else if (step.kind === "undone") {
          const undone = () =>
            store.write((of) => {
              of("history").put(key(step.key), key(step.value));
              throw new Error("undone");
            });
          expect(undone).toThrow("undone");
        } else
          for (const one of [plain, store])
            one.write((of) =>
              step.kind === "put"
                ? of("history").put(key(step.key), key(step.value))
                : of("history").delete(key(step.key)),
            );
        for (const range of [undefined, ...ranges]) expect(content(store, range)).toEqual(content(plain, range));
        expect(store.table("history").count()).toBe(plain.table("history").count());
        for (let one = 0; one <= 12; one += 1)
          expect([store.table("history").get(key(one)), store.table("history").has(key(one))]).toEqual([
            plain.table("history").get(key(one)),
            plain.table("history").has(key(one)),
          ]);
      }
    }),
    { numRuns: runs(15, 80) },
  );
});

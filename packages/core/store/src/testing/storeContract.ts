import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Range, Store } from "../Store.js";
import { StoreError } from "../StoreError.js";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const keys = (entries: Iterable<readonly [Uint8Array, Uint8Array]>): number[][] =>
  [...entries].map(([key]) => [...key]);

/** The common behavior of all stores; run for each kind of store. */
export function storeContract(name: string, make: () => Promise<{ store: Store; remove: () => Promise<void> }>): void {
  describe(name, () => {
    let store: Store;
    let remove: () => Promise<void>;
    beforeEach(async () => {
      ({ store, remove } = await make());
    });
    afterEach(async () => {
      await store.close();
      await remove();
    });

    test("what was put is there, what was not is absent", () => {
      store.write((tables) => {
        tables("history").put(bytes(1), bytes(1, 2, 3));
        tables("roots").put(bytes(1), bytes());
      });
      expect(store.table("history").get(bytes(1))).toEqual(bytes(1, 2, 3));
      expect(store.table("roots").get(bytes(1))).toEqual(bytes());
      expect(store.table("roots").has(bytes(1))).toBe(true);
      expect(store.table("cold").get(bytes(1))).toBeUndefined();
      expect(store.table("cold").has(bytes(1))).toBe(false);
      expect(store.table("history").count()).toBe(1);
    });

    test("values are plain byte arrays that later writes do not change", () => {
      const value = bytes(1, 2, 3);
      store.write((tables) => tables("history").put(bytes(1), value));
      value[0] = 9;
      const read = store.table("history").get(bytes(1));
      const [entry] = store.table("history").range();
      const large = new Uint8Array(300_000).fill(5);
      store.write((tables) => {
        tables("history").put(bytes(2), large);
        tables("history").put(bytes(1), bytes(7, 7, 7));
      });
      const readLarge = store.table("history").get(bytes(2));
      store.write((tables) => tables("history").put(bytes(2), new Uint8Array(300_000)));
      store.table("history").get(bytes(2));
      expect(read).toEqual(bytes(1, 2, 3));
      expect(read?.constructor).toBe(Uint8Array);
      expect(entry).toEqual([bytes(1), bytes(1, 2, 3)]);
      expect(entry?.[0].constructor).toBe(Uint8Array);
      // The assertion that compares element by element takes seconds for this many.
      expect(Buffer.compare(readLarge!, large)).toBe(0);
    });

    test("changing a returned value does not change the store", () => {
      store.write((tables) => tables("history").put(bytes(1), bytes(1)));
      store.table("history").get(bytes(1))?.fill(9);
      expect(store.table("history").get(bytes(1))).toEqual(bytes(1));
    });

    test("a write that throws leaves nothing, and its exception comes out", () => {
      store.write((tables) => tables("history").put(bytes(1), bytes(1)));
      const failure = new Error("the work failed");
      expect(() =>
        store.write((tables) => {
          tables("history").put(bytes(1), bytes(2));
          tables("cold").put(bytes(3), bytes(3));
          tables("history").delete(bytes(1));
          throw failure;
        }),
      ).toThrow(failure);
      expect(store.table("history").get(bytes(1))).toEqual(bytes(1));
      expect(store.table("cold").count()).toBe(0);
      store.write((tables) => tables("cold").put(bytes(4), bytes(4)));
      expect(store.table("cold").get(bytes(4))).toEqual(bytes(4));
    });

    test("writes that are made together are one transaction, which reads its own changes", () => {
      const result = store.together(() => {
        store.write((tables) => tables("history").put(bytes(1), bytes(1)));
        expect(store.table("history").get(bytes(1))).toEqual(bytes(1));
        store.write((tables) => tables("cold").put(bytes(2), store.table("history").get(bytes(1))!));
        expect(keys(store.table("cold").range())).toEqual([[2]]);
        return store.table("history").count();
      });
      expect(result).toBe(1);
      expect(store.table("cold").get(bytes(2))).toEqual(bytes(1));
    });

    test("an exception undoes all writes that are made together, also where one of them is caught", () => {
      const failure = new Error("the work failed");
      const put = (key: number) => store.write((tables) => tables("history").put(bytes(key), bytes(key)));
      const fail = () =>
        store.write((tables) => {
          tables("history").put(bytes(9), bytes(9));
          throw failure;
        });
      const failing = () => {
        put(1);
        fail();
      };
      const catching = () => {
        put(1);
        expect(fail).toThrow(failure);
        put(2);
      };
      expect(() => store.together(failing)).toThrow(failure);
      expect(() => store.together(catching)).toThrow(failure);
      expect(() => store.together(() => store.together(() => {}))).toThrow("nested write");
      expect(() => store.write(() => store.together(() => {}))).toThrow("nested write");
      expect(store.table("history").count()).toBe(0);
      put(3);
      expect(keys(store.table("history").range())).toEqual([[3]]);
    });

    test("a write reads its own changes", () => {
      store.write((tables) => {
        const table = tables("history");
        table.put(bytes(1), bytes(1));
        expect(table.get(bytes(1))).toEqual(bytes(1));
        table.delete(bytes(1));
        expect(table.get(bytes(1))).toBeUndefined();
        table.delete(bytes(2));
        table.put(bytes(3), bytes(3));
        expect(keys(table.range())).toEqual([[3]]);
      });
    });

    test("ranges go through keys as unsigned bytes, from included, to not", () => {
      const all = [[0], [0, 0], [1], [127, 255], [128], [128, 0], [255], [255, 255]];
      store.write((tables) => {
        for (const key of [...all].reverse()) tables("history").put(Uint8Array.from(key), bytes(key.length));
      });
      const table = store.table("history");
      const down = [...all].reverse();
      expect(keys(table.range())).toEqual(all);
      expect(keys(table.range({ reverse: true }))).toEqual(down);
      expect(keys(table.range({ from: bytes(1), to: bytes(128, 0) }))).toEqual([[1], [127, 255], [128]]);
      expect(keys(table.range({ from: bytes(2), limit: 2 }))).toEqual([[127, 255], [128]]);
      expect(keys(table.range({ from: bytes(128), to: bytes(0, 0), reverse: true }))).toEqual([[128], [127, 255], [1]]);
      expect(keys(table.range({ from: bytes(200), reverse: true, limit: 1 }))).toEqual([[128, 0]]);
      expect(keys(table.range({ limit: 0 }))).toEqual([]);
      expect(keys(table.range({ from: bytes(255, 255, 0) }))).toEqual([]);
    });

    test("a key of an impossible length is not there, and deleting it changes nothing", () => {
      store.write((tables) => tables("history").put(bytes(1), bytes(1)));
      for (const length of [0, 1979, 2000, 200_000]) {
        const impossible = new Uint8Array(length).fill(1);
        expect(store.table("history").get(impossible)).toBeUndefined();
        expect(store.table("history").has(impossible)).toBe(false);
        store.write((tables) => tables("history").delete(impossible));
      }
      expect(store.table("history").count()).toBe(1);
    });

    test("bounds of ranges may have any length", () => {
      const longest = new Uint8Array(1978).fill(5);
      const stored = [bytes(4), longest, bytes(5, 6)];
      store.write((tables) => {
        for (const key of stored) tables("history").put(key, bytes(1));
      });
      const table = store.table("history");
      const found = (range: Range) => keys(table.range(range)).map(([first, second = 0]) => [first, second]);
      for (const length of [1979, 2000, 200_000]) {
        const bound = new Uint8Array(length).fill(5);
        expect(found({ from: bound })).toEqual([[5, 6]]);
        expect(found({ to: bound })).toEqual([
          [4, 0],
          [5, 5],
        ]);
        expect(found({ from: bound, reverse: true })).toEqual([
          [5, 5],
          [4, 0],
        ]);
        expect(found({ to: bound, reverse: true })).toEqual([[5, 6]]);
        expect(found({ from: bound, to: bound })).toEqual([]);
      }
      expect(found({ from: bytes() })).toHaveLength(3);
      expect(found({ to: bytes() })).toEqual([]);
      expect(found({ from: bytes(), reverse: true })).toEqual([]);
      expect(found({ to: bytes(), reverse: true })).toHaveLength(3);
    });

    test("misuse is named", async () => {
      let kept: ((key: Uint8Array, value: Uint8Array) => void) | undefined;
      store.write((tables) => {
        const table = tables("history");
        kept = (key, value) => table.put(key, value);
        expect(() => table.put(bytes(), bytes(1))).toThrow(StoreError);
        expect(() => table.put(new Uint8Array(1979), bytes(1))).toThrow("keys have 1 to 1978 bytes");
        expect(() => store.write(() => {})).toThrow("nested write");
      });
      expect(() => kept?.(bytes(1), bytes(1))).toThrow("outside of a write");
      expect(() => store.table("blocks")).toThrow("opened without the table blocks");
      const table = store.table("history");
      await store.close();
      expect(() => table.get(bytes(1))).toThrow("closed already");
      expect(() => store.write(() => {})).toThrow("closed already");
    });

    test("any sequence of changes does what a sorted map does", () => {
      const key = fc.uint8Array({ minLength: 1, maxLength: 2 });
      const change = fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined }));
      const expected = new Map<string, Uint8Array>();
      fc.assert(
        fc.property(fc.array(change, { maxLength: 20 }), fc.boolean(), key, (changes, fails, from) => {
          const model = new Map(expected);
          try {
            store.write((tables) => {
              for (const [at, value] of changes) {
                if (value === undefined) tables("cold").delete(at);
                else tables("cold").put(at, value);
                if (value === undefined) model.delete(Buffer.from(at).toString("hex"));
                else model.set(Buffer.from(at).toString("hex"), value);
              }
              if (fails) throw new Error("stop");
            });
            expected.clear();
            for (const [at, value] of model) expected.set(at, value);
          } catch (error) {
            expect((error as Error).message).toBe("stop");
          }
          const sorted = [...expected].sort(([left], [right]) => (left < right ? -1 : 1));
          const start = Buffer.from(from).toString("hex");
          const found = [...store.table("cold").range({ from })].map(([at, value]) => [
            Buffer.from(at).toString("hex"),
            value,
          ]);
          expect(found).toEqual(sorted.filter(([at]) => at >= start));
          const back = [...store.table("cold").range({ from, reverse: true })].map(([at]) =>
            Buffer.from(at).toString("hex"),
          );
          expect(back).toEqual(
            sorted
              .map(([at]) => at)
              .filter((at) => at <= start)
              .reverse(),
          );
          expect(store.table("cold").count()).toBe(sorted.length);
        }),
        { numRuns: 60 },
      );
    });

    test("100,000 entries can be written at once", () => {
      store.write((tables) => {
        for (let i = 0; i < 100_000; i += 1) tables("history").put(bytes(i >>> 16, i >>> 8, i, 1), bytes(i));
      });
      expect(store.table("history").count()).toBe(100_000);
    });
  });
}

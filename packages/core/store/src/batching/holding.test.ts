import { expect, test } from "vitest";
import { MemoryStore } from "../memory/MemoryStore.js";
import { tablesOf } from "../tables.js";
import { BatchingStore } from "./BatchingStore.js";

const one = Uint8Array.of(1);
const put = (store: BatchingStore, value: number) =>
  store.write((tables) => tables("blocks").put(one, Uint8Array.of(value)));

function begun() {
  const below = new MemoryStore(tablesOf("chain"));
  const store = new BatchingStore(below, { isHolding: false });
  const values = () => [store.table("blocks").get(one)?.[0], below.table("blocks").get(one)?.[0]];
  return { below, store, values };
}

test("each write is on disk at once, but while writes are held; then it is read here, and below after a flush", () => {
  const { store, values } = begun();
  put(store, 1);
  expect(values()).toEqual([1, 1]);
  store.hold();
  put(store, 2);
  store.together(() => put(store, 3));
  expect([values(), store.isHolding, store.heldBytes]).toEqual([[3, 1], true, 2]);
  store.flush();
  expect([values(), store.isHolding]).toEqual([[3, 3], true]);
  put(store, 4);
  store.release();
  expect([values(), store.isHolding, store.heldBytes]).toEqual([[4, 4], false, 0]);
  store.together(() => put(store, 5));
  expect(values()).toEqual([5, 5]);
});

test("a write that fails leaves nothing, held or not; a release that fails goes on holding", () => {
  const { below, store, values } = begun();
  const failing = () =>
    store.write((tables) => {
      tables("blocks").put(one, one);
      throw new Error("undone");
    });
  expect(failing).toThrow("undone");
  store.hold();
  expect(failing).toThrow("undone");
  expect(values()).toEqual([undefined, undefined]);
  put(store, 2);
  const { write } = below;
  below.write = () => {
    throw new Error("the disk is full");
  };
  expect(() => store.release()).toThrow("the disk is full");
  expect([values(), store.isHolding]).toEqual([[2, undefined], true]);
  below.write = write;
  store.release();
  expect([values(), store.isHolding]).toEqual([[2, 2], false]);
});

test("what is held is reported as it grows, and given up where the store is closed", async () => {
  const { below, store } = begun();
  const held: number[] = [];
  store.onHeld = (bytes) => held.push(bytes);
  put(store, 1);
  store.hold();
  put(store, 2);
  expect(held).toEqual([2]);
  below.close = async () => undefined;
  await store.close();
  expect(below.table("blocks").get(one)).toEqual(one);
});

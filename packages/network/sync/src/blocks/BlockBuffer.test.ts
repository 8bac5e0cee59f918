import { toHex } from "@vedette/crypto";
import { MemoryStore } from "@vedette/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";

const bufferOf = (store = new MemoryStore(["bufferedBlocks"])) => new BlockBuffer(store);
const [a, b, c, d] = ["a", "b", "c", "d"].map(testHash) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const texts = (hashes: readonly Uint8Array[]) => hashes.map(toHex).sort();

describe("the buffer of waiting blocks", () => {
  test("releases a block when the last one it waits for is there", () => {
    const buffer = bufferOf();
    buffer.add(c, [a, b]);
    expect([buffer.isWaiting(c), buffer.isAwaited(a), buffer.isAwaited(c), buffer.size]).toEqual([
      true,
      true,
      false,
      1,
    ]);
    expect(buffer.resolve(a)).toEqual([]);
    expect(texts(buffer.resolve(b))).toEqual(texts([c]));
    expect([buffer.isWaiting(c), buffer.size]).toEqual([false, 0]);
  });

  test("counts what is on disk, also when a transaction fails", () => {
    const store = new MemoryStore(["bufferedBlocks"]);
    const buffer = bufferOf(store);
    buffer.add(c, [a]);
    // As a disk does that is full when the transaction ends.
    const write = store.write.bind(store);
    store.write = (work) =>
      store.together(() => {
        write(work);
        throw new TypeError("full");
      });
    for (const act of [() => buffer.add(d, [b]), () => buffer.add(c, [b]), () => buffer.giveUp(a)]) {
      expect(act).toThrow("full");
      expect([buffer.size, bufferOf(store).size]).toEqual([1, 1]);
      expect(texts(buffer.pendants())).toEqual(texts([a]));
    }
  });

  test("returns the hashes to be fetched: those that do not wait themselves", () => {
    const buffer = bufferOf();
    buffer.add(d, [c, a]);
    buffer.add(c, [b]);
    expect(texts(buffer.pendants())).toEqual(texts([a, b]));
    expect(buffer.pendants(1).length).toBe(1);
  });

  test("returns what waits for one hash alone", () => {
    const buffer = bufferOf();
    buffer.add(c, [a, b]);
    expect(buffer.waitingOnlyFor(a)).toBeUndefined();
    buffer.add(d, [a]);
    expect(buffer.waitingOnlyFor(a)).toEqual(d);
    expect([buffer.waitingOnlyFor(b), buffer.waitingOnlyFor(c)]).toEqual([undefined, undefined]);
    buffer.resolve(a);
    expect(buffer.waitingOnlyFor(b)).toEqual(c);
  });

  test("replaces what a block waits for", () => {
    const buffer = bufferOf();
    buffer.add(c, [a]);
    buffer.add(c, [b]);
    expect([buffer.size, buffer.isAwaited(a)]).toEqual([1, false]);
    expect(texts(buffer.resolve(b))).toEqual(texts([c]));
  });

  test("gives up what it has looked for longest", () => {
    const buffer = bufferOf();
    buffer.add(c, [a]);
    buffer.add(d, [b, c]);
    buffer.dropOldestPendant();
    expect([buffer.isWaiting(c), buffer.isWaiting(d), buffer.size]).toEqual([false, true, 1]);
    expect(texts(buffer.pendants())).toEqual(texts([b, c]));
  });

  test("is the same after a restart, and is brought in line with a DAG that is ahead", () => {
    const store = new MemoryStore(["bufferedBlocks"]);
    const before = bufferOf(store);
    before.add(c, [a]);
    before.add(d, [c, b]);
    const after = bufferOf(store);
    expect(after.size).toBe(2);
    expect(texts(after.recover((hash) => toHex(hash) === toHex(a)))).toEqual(texts([c]));
    expect(after.recover(() => false)).toEqual([]);
  });

  test("releases every block once, in whatever order a graph is resolved", () => {
    const names = Array.from({ length: 12 }, (_, index) => testHash(`block ${index}`));
    const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const buffer = bufferOf();
        const waits = new Map<number, Set<number>>();
        for (const [one, other] of pairs) {
          const [low, high] = one < other ? [one, other] : [other, one];
          if (low !== high) waits.set(high, (waits.get(high) ?? new Set()).add(low));
        }
        for (const [block, on] of waits)
          buffer.add(
            names[block]!,
            [...on].map((index) => names[index]!),
          );
        const released: string[] = [];
        const queue = names.filter((_, index) => !waits.has(index));
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          for (const block of buffer.resolve(next)) {
            released.push(toHex(block));
            queue.push(block);
          }
        }
        expect(released.sort()).toEqual(texts([...waits.keys()].map((index) => names[index]!)));
        expect([buffer.size, buffer.pendants()]).toEqual([0, []]);
      }),
      { numRuns: 50 },
    );
  });

  test("knows its pendants as a restarted one finds them", () => {
    const names = Array.from({ length: 8 }, (_, index) => testHash(`block ${index}`));
    const step = fc.tuple(fc.boolean(), fc.nat(7), fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const store = new MemoryStore(["bufferedBlocks"]);
        const buffer = bufferOf(store);
        for (const [isAdded, block, on] of steps) {
          const others = on.filter((index) => index !== block).map((index) => names[index]!);
          if (!isAdded || others.length === 0) buffer.resolve(names[block]!);
          else buffer.add(names[block]!, others);
        }
        const restarted = bufferOf(store);
        expect(texts(buffer.pendants())).toEqual(texts(restarted.pendants()));
        expect(buffer.size).toBe(restarted.size);
      }),
      { numRuns: 50 },
    );
  });
});

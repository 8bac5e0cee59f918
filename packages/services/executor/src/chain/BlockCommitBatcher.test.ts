import { BatchingStore, MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { MergeCall, ReplayAnswer, ReplayCall } from "../executor/RnodeExecutor.js";
import { BlockCommitBatcher } from "./BlockCommitBatcher.js";

const state = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const key = Uint8Array.of(1);

/** A thread with numbers as states: a block leads from its pre-state to the next one, a merge to ten more. */
class Thread {
  readonly onDisk = new Set([1]);
  readonly held = new Set<number>();
  readonly calls: string[] = [];
  readonly executor: { -readonly [K in keyof ExecutorClient]: ExecutorClient[K] } = {
    replay: (call: ReplayCall) => this.#make("replay", call.preState[0]!, 1),
    merge: async ({ baseState }: MergeCall) => ({
      ...{ kind: "merged", stateHash: (await this.#make("merge", baseState[0]!, 10)).postStateHash },
      ...{ rejectedDeploys: [], rejections: [] },
    }),
    hasRoot: async ([number]: Uint8Array) => this.#has(number!),
    flush: async (roots: readonly Uint8Array[]) => {
      this.calls.push("flush");
      for (const number of this.held) this.onDisk.add(number);
      this.held.clear();
      return roots.every(([number]) => this.#has(number!));
    },
  } as unknown as ExecutorClient;
  /** The state at which the thread ends. */
  ends: number | undefined;

  /** Its memory goes, and another thread comes in its place. */
  end(): void {
    this.held.clear();
  }

  #has(number: number): boolean {
    return this.onDisk.has(number) || this.held.has(number);
  }

  async #make(what: string, from: number, by: number): Promise<ReplayAnswer & { kind: "replayed" }> {
    this.calls.push(`${what} ${from}`);
    if (from === this.ends) {
      this.end();
      throw Object.assign(new Error("the executor thread has ended"), { name: "ThreadEnded" });
    }
    if (!this.#has(from)) throw Object.assign(new Error("unknown root"), { name: "SpaceError" });
    this.held.add(from + by);
    return { kind: "replayed", postStateHash: state(from + by), bonds: [] };
  }
}

function begun(maxBlocks = 3, maxBytes = 1 << 20) {
  const below = new MemoryStore(tablesOf("chain"));
  const store = new BatchingStore(below);
  const thread = new Thread();
  const groups = new BlockCommitBatcher(store, thread.executor, { maxBlocks, maxBytes });
  const judge = async (number: number) => {
    const answer = await groups.executor.replay({ block: state(number), preState: state(number), invalidBlocks: [] });
    store.write((tables) => tables("blocks").put(key, Uint8Array.of(number)));
    await groups.settled(1);
    return answer;
  };
  const onDisk = () => below.table("blocks").get(key)?.[0];
  return { store, thread, groups, judge, onDisk };
}

describe("blocks in groups", () => {
  test("come to disk when there are enough of them, their states first", async () => {
    const { thread, groups, judge, onDisk } = begun();
    for (const number of [1, 2]) await judge(number);
    expect([onDisk(), [...thread.onDisk]]).toEqual([undefined, [1]]);
    await judge(3);
    expect([onDisk(), [...thread.onDisk]]).toEqual([3, [1, 2, 3, 4]]);
    await judge(4);
    expect(onDisk()).toBe(3);
    await groups.flush();
    expect([onDisk(), [...thread.onDisk]]).toEqual([4, [1, 2, 3, 4, 5]]);
  });

  test("have their states made again where the thread has ended in between, and nothing is on disk before", async () => {
    const { thread, judge, onDisk } = begun();
    for (const number of [1, 2]) await judge(number);
    thread.end();
    await judge(3);
    expect([onDisk(), [...thread.onDisk].sort()]).toEqual([3, [1, 2, 3, 4]]);
    for (const number of [4, 5]) await judge(number);
    const replay = thread.executor.replay.bind(thread.executor);
    thread.executor.replay = async (call) => {
      const answer = await replay(call);
      if (call.preState[0] === 6) thread.end();
      thread.executor.replay = replay;
      return answer;
    };
    await judge(6);
    expect([onDisk(), thread.onDisk.has(7)]).toEqual([6, true]);
  });

  test("are reported as present, also after the thread has ended", async () => {
    const { thread, groups, judge } = begun(10);
    for (const number of [1, 2]) await judge(number);
    thread.end();
    expect(await groups.executor.hasRoot(state(3))).toBe(true);
    expect([thread.held.has(2), await groups.executor.hasRoot(state(4))]).toEqual([true, false]);
  });

  test("of a thread that a block has ended are there for the next one; that block is not tried again", async () => {
    const { thread, groups, judge, onDisk } = begun(10);
    for (const number of [1, 2]) await judge(number);
    await groups.executor.merge({ baseState: state(3), blocks: [] });
    thread.ends = 13;
    await expect(judge(13)).rejects.toThrow("has ended");
    expect(thread.calls.filter((call) => call === "replay 13")).toHaveLength(1);
    await judge(3);
    await groups.flush();
    expect([onDisk(), [...thread.onDisk].sort((left, right) => left - right)]).toEqual([3, [1, 2, 3, 4, 13]]);
  });

  test("replay a block on an unknown state once, as without a group", async () => {
    const { thread, judge } = begun();
    await judge(1);
    await expect(judge(7)).rejects.toThrow("unknown root");
    expect(thread.calls).toEqual(["replay 1", "replay 7"]);
  });

  test("leave memory also while none is judged, states always first", async () => {
    const { store, thread, judge, onDisk } = begun(10, 1000);
    for (const number of [1, 2]) await judge(number);
    const putMore = (number: number) =>
      store.write((tables) => tables("blocks").put(Uint8Array.of(number), new Uint8Array(600)));
    putMore(2);
    expect([onDisk(), store.heldBytes > 600]).toEqual([undefined, true]);
    putMore(3);
    for (let turn = 0; turn < 100 && store.heldBytes > 0; turn += 1) await Promise.resolve();
    expect([onDisk(), store.heldBytes, [...thread.onDisk]]).toEqual([2, 0, [1, 2, 3]]);
  });

  test("have old ones packed before they come to disk, once that is wanted", async () => {
    const { store, groups, judge } = begun(100);
    const hashes = Array.from({ length: 40 }, (_, height) => new Uint8Array(32).fill(height + 100));
    store.write((tables) => {
      for (const [height, hash] of hashes.entries()) {
        tables("blocks").put(hash, new Uint8Array(500).fill(10));
        tables("blocksByHeight").put(Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, height, ...hash), new Uint8Array(0));
      }
    });
    await judge(1);
    groups.pack(() => 40n + 16n);
    await groups.flush();
    const lengths = hashes.map((hash) => store.table("blocks").get(hash)!.length);
    expect([lengths.slice(0, 32), lengths.slice(32)]).toEqual([Array(32).fill(17), Array(8).fill(500)]);
  });

  test("are flushed one group after the other, for any number of callers", async () => {
    const { groups, judge, thread, onDisk } = begun(10);
    await judge(1);
    const both = [groups.flush(), groups.flush()];
    await judge(2);
    await Promise.all(both);
    expect(thread.onDisk.has(onDisk()! + 1)).toBe(true);
    await groups.flush();
    expect([onDisk(), thread.onDisk.has(3)]).toEqual([2, true]);
  });

  test("stay held where the disk takes none, and are brought there later", async () => {
    const { store, groups, judge, onDisk } = begun(1);
    const { flush } = store;
    store.flush = () => {
      throw new Error("the disk is full");
    };
    await expect(judge(1)).rejects.toThrow("the disk is full");
    expect(onDisk()).toBeUndefined();
    store.flush = flush;
    await groups.flush();
    expect(onDisk()).toBe(1);
  });
});

import { describe, expect, test } from "vitest";
import { ChainHead, parseMinBlock, printHead } from "./ChainHead.js";

const never = new AbortController().signal;

/** A chain that has this many blocks. */
class Chain {
  height = 3;
  readonly dag = {
    approvedBlock: () => (this.height < 0 ? undefined : ({} as never)),
    nextBlockNumber: () => BigInt(this.height + 1),
    blocksByHeight: (from: bigint) => [{ hash: new Uint8Array(32).fill(Number(from)) } as never][Symbol.iterator](),
    lastFinalized: () => ({ number: BigInt(this.height - 1) }) as never,
  };
}

describe("the head of a chain", () => {
  test("is reported with its hash and what is final; nothing is before the chain has begun", () => {
    const chain = new Chain();
    const head = new ChainHead(chain.dag);
    expect(printHead(head.now()!)).toBe(`3;hash="${"03".repeat(32)}";finalized=2`);
    expect(head.text()).toBe(printHead(head.now()!));
    chain.height = -1;
    head.chainChanged();
    expect([head.now(), head.text()]).toEqual([undefined, undefined]);
    chain.height = 4;
    head.chainChanged();
    expect(head.text()).toBe(`4;hash="${"04".repeat(32)}";finalized=3`);
  });

  test("is read once for each change of the chain", async () => {
    const chain = new Chain();
    let reads = 0;
    const nextBlockNumber = () => {
      reads += 1;
      return chain.dag.nextBlockNumber();
    };
    const head = new ChainHead({ ...chain.dag, nextBlockNumber });
    for (let round = 0; round < 3; round += 1) [head.text(), head.now(), await head.reaches(3n, never)];
    expect(reads).toBe(1);
    head.chainChanged();
    head.text();
    expect(reads).toBe(2);
  });

  test("is waited for, and not longer than is allowed", async () => {
    const chain = new Chain();
    const head = new ChainHead(chain.dag, { waitMs: 60_000, waiting: 2 });
    expect(await head.reaches(3n, never)).toBe(true);
    const [four, five] = [head.reaches(4n, never), head.reaches(5n, never)];
    // There is room for two.
    expect(await head.reaches(4n, never)).toBe(false);
    chain.height = 4;
    head.chainChanged();
    expect(await four).toBe(true);
    chain.height = 6;
    head.chainChanged();
    expect(await five).toBe(true);
    const impatient = new ChainHead(chain.dag, { waitMs: 5 });
    expect(await impatient.reaches(7n, never)).toBe(false);
  });

  test("is waited for by a client with few requests, however many another one has", async () => {
    const chain = new Chain();
    const head = new ChainHead(chain.dag, { waitMs: 60_000, waiting: 3 });
    const many = Array.from({ length: 4 }, () => head.reaches(4n, never, "many"));
    const few = head.reaches(4n, never, "few");
    // One of them had no room, and the oldest one gives it up.
    expect([await many[3], await many[0]]).toEqual([false, false]);
    chain.height = 4;
    head.chainChanged();
    expect(await Promise.all([many[1], many[2], few])).toEqual([true, true, true]);
  });

  test("is not waited for by a client that has gone", async () => {
    const chain = new Chain();
    const head = new ChainHead(chain.dag, { waitMs: 60_000, waiting: 1 });
    const gone = new AbortController();
    const waiting = head.reaches(9n, gone.signal);
    gone.abort();
    expect(await waiting).toBe(false);
    expect(await head.reaches(9n, AbortSignal.abort())).toBe(false);
    const next = head.reaches(4n, never);
    chain.height = 4;
    head.chainChanged();
    expect(await next).toBe(true);
  });

  test("is requested by a plain number", () => {
    expect(["0", "12", "999999999999999"].map(parseMinBlock)).toEqual([0n, 12n, 999_999_999_999_999n]);
    expect(["", "-1", "1.5", "1e3", " 1", "0x1", "1".repeat(16), "latest"].map(parseMinBlock)).toEqual(
      Array(8).fill(undefined),
    );
  });
});

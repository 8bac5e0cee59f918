import type { HttpClient } from "@vedette/client";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { LiveChain } from "./LiveChain.js";

/** A node that ends its connection when it gets another chain. */
class FakeNode {
  chain = chainNamed("a", 3);
  /** Whole blocks that were read. */
  readonly asked: string[] = [];
  #lose: ((error: Error) => void) | undefined;
  /** Connections that were opened. */
  readonly signals: AbortSignal[] = [];

  readonly client = {
    events: ({ signal }: { readonly signal: AbortSignal }) => {
      this.signals.push(signal);
      return {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((_resolve, reject) => {
              this.#lose = reject;
            }),
        }),
      };
    },
    blocks: async () => this.chain,
    lastFinalizedBlock: async () => ({ blockInfo: this.chain.at(-2) }),
    block: async (hash: string) => {
      this.asked.push(hash);
      return { blockInfo: this.chain[0], deploys: [] };
    },
  } as unknown as HttpClient;

  restart(chain: typeof this.chain): void {
    this.chain = chain;
    this.#lose!(new Error("the node has ended"));
  }
}

function chainNamed(name: string, length: number, deployCount = 0) {
  return Array.from({ length }, (_, number) => ({
    ...{ blockHash: `${name}${number}`, blockNumber: BigInt(number), sender: "", seqNum: number, timestamp: 0n },
    ...{ deployCount, parentsHashList: [], rejectedDeploys: [] },
  })).reverse();
}

test("a node that comes back with another chain shows nothing of the one before; the same chain goes on", async () => {
  const node = new FakeNode();
  const live = new LiveChain(node.client);
  const ended = new AbortController();
  void live.follow(ended.signal);
  const shown = () => live.view().blocks.map(({ hash }) => hash);
  await until("the first chain", () => shown().length === 3);
  node.restart(chainNamed("a", 4));
  await until("one block more", () => shown().length === 4);
  node.restart(chainNamed("b", 6));
  await until("the other chain", () => shown()[0] === "b5");
  expect(shown()).toEqual(["b5", "b4", "b3", "b2", "b1", "b0"]);
  expect(live.view().lastFinalized?.hash).toBe("b1");
  ended.abort();
});

test.each([
  [0, []],
  [25, ["a9", "a8", "a7"]],
  [2_000, ["a9"]],
])("of blocks with %i deploys it reads only as many as have the deploys that it keeps", async (deployCount, read) => {
  const node = new FakeNode();
  node.chain = chainNamed("a", 10, deployCount);
  const live = new LiveChain(node.client);
  const ended = new AbortController();
  void live.follow(ended.signal);
  await until("the chain", () => live.view().connection === "live");
  expect(node.asked).toEqual(read);
  ended.abort();
});

test("an answer that cannot be read leaves no connection for events open", async () => {
  const node = new FakeNode();
  const live = new LiveChain({
    ...node.client,
    blocks: () => Promise.reject(new Error("unreadable")),
  } as unknown as HttpClient);
  const ended = new AbortController();
  void live.follow(ended.signal);
  await until("the answer to be refused", () => node.signals[0]?.aborted === true);
  await until("the page to show it", () => live.view().connection === "lost");
  ended.abort();
});

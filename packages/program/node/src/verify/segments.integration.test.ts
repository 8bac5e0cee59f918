import { BlockTable, Chain } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { executionOf, RnodeExecutor, stateImportOf } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Peer } from "@vedette/network";
import {
  type Block,
  decodeBlock,
  decodeBlockRangeQuestion,
  decodePacket,
  encodeBlock,
  encodeBlockRange,
  encodePacket,
  rnode,
  type StoreItems,
  type StoreItemsRequest,
} from "@vedette/protocol";
import { BatchingStore, MemoryStore, type Store, tablesOf } from "@vedette/store";
import { type PeerRequestPort, type PeersPort, ReplayedBlocks, Segments, systemTimers } from "@vedette/sync";
import { until } from "@vedette/testing";
import { exportItems, StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { accountGenesis } from "../testing/AccountNode.js";
import { SoloValidator, userDeploy } from "../testing/SoloValidator.js";
import { secondExecutor } from "./secondExecutor.js";

const top = 12;
const peer: Peer = { id: "00", host: "server", protocolPort: 1, discoveryPort: 2 };

/** A chain with its states, as a peer has them. */
class Server {
  readonly states = new MemoryStore(tablesOf("state"));
  readonly blocks: Block[] = [];
  one!: SoloValidator;
  hasStates = true;
  /** Its answer in place of a page. */
  page: (items: StoreItems) => StoreItems = (items) => items;
  give: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;

  async begin(): Promise<this> {
    const genesis = await accountGenesis();
    this.one = await SoloValidator.begin("v1", genesis, { stateStore: this.states });
    this.blocks.push(genesis);
    for (let number = 1; number <= top; number += 1) {
      await this.one.proposing.submit(userDeploy("u1", `@"same"!(${number}) | for (_ <- @"same") { Nil }`));
      this.blocks.push(await this.one.make());
    }
    return this;
  }

  questions(): PeerRequestPort {
    return {
      understands: () => true,
      ask: async (_, { content }) => {
        const { from, to } = decodeBlockRangeQuestion(content);
        const blocks = this.blocks.filter(({ number }) => number >= from && number <= to);
        const next = to < BigInt(top) ? to + 1n : BigInt(top) + 1n;
        return encodeBlockRange({
          blocks: blocks.map((block) => this.give(encodeBlock(block))),
          next,
          height: BigInt(top),
        });
      },
      answer: () => undefined,
    };
  }

  peers(take: (content: Uint8Array) => void): PeersPort {
    const state = new StateStore(this.states);
    return {
      local: peer,
      peers: [peer],
      randomPeers: () => [peer],
      send: async (_, typeId, content) => {
        if (!this.hasStates) return;
        const {
          startPath,
          skip,
          take: most,
        } = decodePacket(typeId, content, rnode.packetForm).message as StoreItemsRequest;
        const items = exportItems(state, startPath, { skip, take: most });
        if (items !== undefined) take(encodePacket("StoreItemsMessage", this.page(items), rnode.packetForm));
      },
      stream: () => true,
      broadcast: async () => undefined,
      firstConnection: async () => undefined,
    };
  }
}

/** Validates the chain from genesis on, with segments in parallel. */
class Prover {
  readonly executed: bigint[] = [];
  readonly elsewhere: bigint[] = [];
  readonly givenUp: string[] = [];
  readonly segments: Segments;
  readonly chain: Chain;
  readonly #ended = new AbortController();
  readonly #executor: ExecutorClient;

  constructor(
    server: Server,
    parts: number,
    { store = new MemoryStore(tablesOf("chain")) as Store, states = new Map<number, MemoryStore>(), target = top } = {},
  ) {
    const stateOf = (part: number) => {
      const known = states.get(part) ?? new MemoryStore(tablesOf("state"));
      states.set(part, known);
      // A segment's states that were not flushed go with it.
      const store = part === 0 ? known : new BatchingStore(known);
      return counted(new RnodeExecutor(store), part === 0 ? this.executed : this.elsewhere);
    };
    this.segments = new Segments({
      ...{ target: BigInt(target), parts, minHeights: 2n, replayed: new ReplayedBlocks(store), timers: systemTimers },
      questions: server.questions(),
      peers: server.peers((content) => this.segments.handlePacket(peer, content)),
      givenUp: (_, reason) => this.givenUp.push(reason),
      open: async (part) => {
        const executor = stateOf(part);
        await executor.makeEmptyState();
        return {
          state: stateImportOf(executor),
          async replay(block) {
            const { preStateHash, postStateHash } = block.body.state;
            const answer = await executor.replay({
              block: encodeBlock(block),
              preState: preStateHash,
              invalidBlocks: [],
            });
            return answer.kind === "replayed" && toHex(answer.postStateHash) === toHex(postStateHash);
          },
          async flush() {
            await executor.flush([]);
          },
          [Symbol.asyncDispose]: async () => undefined,
        };
      },
    });
    const thread = stateOf(0);
    const blocks = new BlockTable(store, { form: rnode.blockForm });
    const patience = { mayWork: () => true, onReplayed: () => undefined, signal: this.#ended.signal };
    const { executor } = secondExecutor(thread, {
      ...{ target: BigInt(target), segments: this.segments, patience },
      findBytes: (hash) => blocks.findBytes(hash),
      form: rnode.blockForm,
    });
    this.#executor = thread;
    const { rules } = server.one.chain;
    this.chain = new Chain({ store, rules, execution: executionOf(executor, blocks), nowMs: () => 4_000_000_000_000 });
  }

  /** @returns the verdicts */
  async judge(blocks: readonly Block[], first = 0): Promise<string[]> {
    await this.#executor.makeEmptyState();
    const [genesis] = blocks as [Block];
    if (first === 0) {
      const candidate = { block: genesis, requiredSignatures: 0 };
      expect(await this.chain.adoptGenesis({ candidate, signatures: [] })).toBeUndefined();
    }
    const statuses: string[] = [];
    for (const block of blocks.slice(Math.max(1, first)))
      statuses.push((await this.chain.process(decodeBlock(encodeBlock(block), rnode.blockForm), false)).status.status);
    return statuses;
  }

  end(): void {
    this.#ended.abort();
  }
}

function counted(executor: RnodeExecutor, numbers: bigint[]): ExecutorClient {
  const here = executorHere(executor);
  return {
    ...here,
    replay: async (call) => {
      numbers.push(decodeBlock(call.block, rnode.blockForm).number);
      return here.replay(call);
    },
  };
}

const signal = new AbortController().signal;
const valid = Array.from({ length: top }, () => "Valid");
const heights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => BigInt(from + at));

describe("segments of a history", () => {
  let server: Server;
  beforeAll(async () => {
    server = await new Server().begin();
  });

  test.each([2, 3, 6])("in %i parts: each block is executed once, with the same verdicts and states", async (parts) => {
    const prover = new Prover(server, parts);
    const run = prover.segments.run(-1n, signal);
    expect(await prover.judge(server.blocks)).toEqual(valid);
    await run;
    expect(prover.givenUp).toEqual([]);
    const first = top / parts;
    expect(prover.executed).toEqual(heights(0, first - 1));
    expect(prover.elsewhere.toSorted((a, b) => Number(a - b))).toEqual(heights(first, top));
    const hashes = (chain: Chain) => [...chain.dag.blocksByHeight(0n, 100n)].map(({ hash }) => toHex(hash));
    expect(hashes(prover.chain)).toEqual(hashes(server.one.chain));
    expect(prover.chain.dag.lastFinalized()!.number).toBe(server.one.chain.dag.lastFinalized()!.number);
  });

  test("end at the block to be proven: what is above it is neither executed nor waited for", async () => {
    const target = 8;
    const prover = new Prover(server, 2, { target });
    const run = prover.segments.run(-1n, signal);
    expect(await prover.judge(server.blocks.slice(0, target + 1))).toEqual(valid.slice(0, target));
    await run;
    // No peer sends a state any more, and none is requested.
    server.hasStates = false;
    try {
      const above = decodeBlock(encodeBlock(server.blocks[target + 1]!), rnode.blockForm);
      const { status } = await prover.chain.process(above, false);
      const message = "block #9 is above #8, which is to be proven";
      expect(status).toMatchObject({ status: "BlockException", isOfMachine: true, message });
      expect([...prover.executed, ...prover.elsewhere].toSorted((a, b) => Number(a - b))).toEqual(heights(0, target));
    } finally {
      server.hasStates = true;
    }
  });

  test("go on with what they have after a kill, and request no block again", async () => {
    const [store, states] = [new MemoryStore(tablesOf("chain")), new Map<number, MemoryStore>()];
    const killed = new AbortController();
    const before = new Prover(server, 2, { store, states });
    const run = before.segments.run(-1n, killed.signal);
    expect(await before.judge(server.blocks.slice(0, 4))).toEqual(valid.slice(0, 3));
    await until("three blocks to be executed in the part above", () => before.elsewhere.length >= 3);
    killed.abort();
    await run;
    const after = new Prover(server, 2, { store, states });
    const again = after.segments.run(3n, signal);
    expect(await after.judge(server.blocks, 4)).toEqual(valid.slice(3));
    await again;
    expect(after.executed).toEqual(heights(4, top / 2 - 1));
    expect(new Set([...before.elsewhere, ...after.elsewhere])).toEqual(new Set(heights(top / 2, top)));
  });

  test("are given up where no peer has the state, and all is executed in turn", async () => {
    server.page = (items) => ({
      ...items,
      historyItems: items.historyItems.map(({ key }) => ({ key, value: Uint8Array.of(1) })),
    });
    try {
      const prover = new Prover(server, 2);
      await prover.segments.run(-1n, signal);
      expect(prover.givenUp.length).toBe(1);
      expect(await prover.judge(server.blocks)).toEqual(valid);
      expect(prover.executed).toEqual(heights(0, top));
    } finally {
      server.page = (items) => items;
    }
  });

  test("change no verdict where a peer gives other blocks than the chain's", async () => {
    server.give = (bytes) => {
      const block = decodeBlock(bytes, rnode.blockForm);
      return block.number === 9n ? Uint8Array.of(1, 2, 3) : bytes;
    };
    try {
      const prover = new Prover(server, 2);
      const run = prover.segments.run(-1n, signal);
      expect(await prover.judge(server.blocks)).toEqual(valid);
      await run;
      // A missing state is made by execution in turn, on a state that a peer sends.
      expect(prover.executed).toEqual([...heights(0, top / 2 - 1), 9n]);
    } finally {
      server.give = (bytes) => bytes;
    }
  });

  test("are executed once more where one of them is needed and its state is nowhere to be had", async () => {
    server.give = (bytes) => (decodeBlock(bytes, rnode.blockForm).number === 9n ? Uint8Array.of(1, 2, 3) : bytes);
    try {
      const prover = new Prover(server, 2);
      await prover.segments.run(-1n, signal);
      server.page = (items) => ({ ...items, historyItems: [] });
      expect(await prover.judge(server.blocks)).toEqual(valid);
      expect(prover.executed).toEqual(heights(0, 9));
    } finally {
      server.give = (bytes) => bytes;
      server.page = (items) => items;
    }
  });
});

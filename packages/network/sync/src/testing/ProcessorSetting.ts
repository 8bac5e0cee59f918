import { toHex } from "@vedette/crypto";
import { type Block, encodeBlock, rnode } from "@vedette/protocol";
import { MemoryStore, type Store } from "@vedette/store";
import { BlockBuffer } from "../blocks/BlockBuffer.js";
import { BlockProcessor } from "../blocks/BlockProcessor.js";
import { BlockRetriever } from "../blocks/BlockRetriever.js";
import type {
  BlockOutcome,
  BlockStoreView,
  BlockToProcess,
  BlockValidationPort,
  SyncDagView,
} from "../ports/ChainPort.js";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers } from "../Timers.js";
import { FakePeers, testPeer } from "./FakePeers.js";
import { testBlock, testHash } from "./testBlock.js";

export const one = testPeer("one");
export const other = testPeer("other");
export const genesis = testBlock(0, [], { by: "v1" });

/** A chain in memory with judgements that a test decides. */
class FakeChain implements BlockStoreView, BlockValidationPort {
  readonly stored = new Map<string, Block>();
  readonly recorded = new Set<string>([toHex(genesis.hash)]);
  readonly order: string[] = [];
  readonly expectedNext: string[] = [];
  /** Only on networks that have that. */
  admitSettled?: (block: Block) => Promise<boolean>;
  /** When the parts of a large block are on disk. */
  written: Promise<void> = Promise.resolve();
  judge: (block: Block, isAwaited: boolean) => BlockOutcome = () => ({ kind: "valid" });
  onReady: (one: BlockToProcess) => void = () => {};
  readonly #store: Store;
  validators = ["v1"].map((name) => toHex(testHash(name)));

  constructor(store: Store) {
    this.#store = store;
  }

  has = (hash: Uint8Array) => this.stored.has(toHex(hash));
  get = (hash: Uint8Array) => this.stored.get(toHex(hash));
  bytes = (hash: Uint8Array) => encodeBlock(this.stored.get(toHex(hash))!);
  prepare = () => this.written;
  put = (block: Block) => void this.stored.set(toHex(block.hash), block);
  forget = (hash: Uint8Array) => void this.stored.delete(toHex(hash));
  checkForm = (block: Block) => (block.signature.length === 0 ? "block signature is empty." : undefined);

  announceNext(block: Block, parent: Block): void {
    this.expectedNext.push(`${block.number} after ${parent.number}`);
  }

  async process(ready: readonly BlockToProcess[]): Promise<BlockOutcome[]> {
    return ready.map((one) => this.#processOne(one));
  }

  #processOne(one: BlockToProcess): BlockOutcome {
    this.onReady(one);
    const { block, isAwaited, recorded } = one;
    const outcome = this.judge(block, isAwaited);
    this.order.push(`${block.number} ${outcome.kind}`);
    if (outcome.kind === "valid" || (outcome.kind === "invalid" && outcome.inDag)) {
      this.recorded.add(toHex(block.hash));
      this.#store.write(recorded);
    }
    return outcome;
  }

  readonly dag: SyncDagView = {
    has: (hash) => this.recorded.has(toHex(hash)),
    latestMessages: () => [],
    latestTimes: () => [],
    stakes: () => new Map(),
    hasSpoken: () => false,
    isBonded: (key) => this.validators.includes(toHex(key)),
    unpunishedProofs: () => [],
    lastFinalized: () => genesis.hash,
    slashedDependencies: ({ body }) =>
      body.systemDeploys.flatMap(({ systemDeploy }) =>
        systemDeploy.kind === "slash" ? [systemDeploy.invalidBlockHash] : [],
      ),
    changes: () => this.recorded.size,
    revisions: () => 0,
    isDetectedEquivocation: () => false,
    knowsValidator: (key) => this.validators.includes(toHex(key)),
    postState: () => undefined,
    height: () => 0n,
    blocksByHeight: () => [],
  };
}

/** A processor of blocks with fake peers and a fake chain. */
export class ProcessorSetting implements AsyncDisposable {
  readonly peers = new FakePeers();
  readonly events: SyncEvent[] = [];
  readonly clock = { now: 1_600_000_000_000 };
  readonly store = new MemoryStore(["bufferedBlocks"]);
  readonly chain = new FakeChain(this.store);
  readonly buffer = new BlockBuffer(this.store);
  readonly retriever: BlockRetriever;
  readonly processor: BlockProcessor;
  readonly #ended = new AbortController();
  readonly #run: Promise<void>;

  constructor(approved = genesis) {
    const { peers, chain, buffer } = this;
    chain.recorded.add(toHex(approved.hash));
    const emit = (event: SyncEvent) => void this.events.push(event);
    const nowMs = () => this.clock.now;
    this.retriever = new BlockRetriever({
      ...{ peers, emit, nowMs },
      missed: (hash) => this.processor.doubtWaiting(hash),
    });
    const ports = {
      blocks: chain,
      dag: chain.dag,
      validation: chain,
      peers,
      buffer,
      retriever: this.retriever,
      timers: systemTimers,
    };
    this.processor = new BlockProcessor({ ...ports, approved, dialect: rnode, emit, nowMs });
    this.#run = this.processor.run(this.#ended.signal);
  }

  /** A peer announces a block and sends it, whatever it may be. */
  async give(block: Block, as = block.hash, by = one): Promise<void> {
    this.processor.announced(as, by, "hasBlock");
    void this.processor.receive(block, by);
    await this.settled();
  }

  /** Lets the processor go on until it waits. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  said(): string[] {
    return this.peers.take().map(({ to, message }) => `${message.type} to ${to}`);
  }

  kinds(): string[] {
    return this.events.map(({ type }) => type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#run;
  }
}

export const first = testBlock(1, [genesis]);
export const second = testBlock(2, [first]);
export const third = testBlock(3, [second]);

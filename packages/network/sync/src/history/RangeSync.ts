import type { Peer } from "@vedette/network";
import { type Block, findBlockHash, WireError } from "@vedette/protocol";
import type { BlockProcessor } from "../blocks/BlockProcessor.js";
import type { DecodePeerBlock, SyncDagView } from "../ports/ChainPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import { type Timers, waitFor } from "../Timers.js";
import type { HeightRange, RangePeerSelector, RangeResponse } from "./RangePeerSelector.js";

/** Bounds of fetching by heights. @spec 40 §18 */
export interface RangeLimits {
  /** Heights of one question. */
  readonly heights: bigint;
  /** Questions that are open at the same time; each answer may be of some megabytes. */
  readonly atOnce: number;
  /** Blocks that were given and are not judged yet. */
  readonly maxBlocks: number;
  readonly maxBytes: number;
  /** Number of heights up to which a node that is behind requests no ranges. */
  readonly behind: bigint;
  /** Milliseconds between two looks whether blocks are missed. */
  readonly lookMs: number;
  /** Pause after a run that brought nothing, in milliseconds. */
  readonly calmMs: number;
}

/** Bounds that keep a line of 50 ms and one executor busy; a decoded block takes several times its bytes. */
const defaultRangeLimits: RangeLimits = {
  heights: 128n,
  atOnce: 4,
  maxBlocks: 384,
  maxBytes: 16 << 20,
  behind: 16n,
  lookMs: 250,
  calmMs: 10_000,
};

/** The parts that fetching by heights works with. */
export interface RangeSyncOptions {
  readonly sources: RangePeerSelector;
  readonly processor: Pick<BlockProcessor, "offer" | "offered" | "keepOffers" | "isIdle" | "isKnown" | "requestLeft">;
  readonly dag: Pick<SyncDagView, "height" | "has">;
  readonly decodePeerBlock: DecodePeerBlock;
  /** Whether waiting or announced blocks show that this node lacks blocks. */
  readonly isBehind: () => boolean;
  readonly emit: EmitSyncEvent;
  readonly timers: Timers;
  readonly limits?: Partial<RangeLimits> | undefined;
}

const progressMs = 10;
/** Below the own height: there may be blocks beside those that are here. */
const overlap = 8n;
/** A peer that gives more blocks than this without raising the chain gives blocks of no chain. */
const maxFailed = 2_048;
/**
 * The bytes of blocks that are read between two turns of the event loop: milliseconds, while an answer takes a quarter
 * of a second.
 */
const bytesOfTurn = 32 << 10;
/**
 * With this many blocks waiting to be judged, reading more of them leaves the thread to others in between, for the
 * pause below.
 */
const wellAhead = 32;
const restMsOfByte = 10 / 100_000;

/**
 * Fetches what is missed by heights, from below, many blocks with one question and several questions at once, so that
 * fetching, checking and execution go on side by side. Whatever it does not find is left to the search by hashes.
 *
 * @spec 40 §18
 */
export class RangeSync {
  readonly #use: RangeSyncOptions;
  readonly #limits: RangeLimits;
  /** Peers with a height that was requested once. */
  readonly #met = new Set<string>();
  /** Heights above it are being fetched; `undefined` while nothing is. */
  #target: bigint | undefined;

  constructor(use: RangeSyncOptions) {
    this.#use = use;
    this.#limits = { ...defaultRangeLimits, ...use.limits };
  }

  /** The height up to which blocks are being fetched. */
  get target(): bigint | undefined {
    return this.#target;
  }

  /** Looks whether blocks are missed, and fetches them, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { timers, dag } = this.#use;
    while (!signal.aborted) {
      await waitFor(timers, this.#limits.lookMs, signal);
      const target = await this.#heightToReach(signal);
      if (target === undefined) continue;
      const before = dag.height();
      this.#target = target;
      await new RangeRun(this.#use, this.#limits, signal).go();
      this.#target = undefined;
      this.#use.processor.requestLeft();
      if (dag.height() === before) await waitFor(timers, this.#limits.calmMs, signal);
    }
  }

  /** @returns `undefined` where no peer is much higher */
  async #heightToReach(signal: AbortSignal): Promise<bigint | undefined> {
    const { sources, dag, isBehind } = this.#use;
    const { peers } = sources;
    const present = new Set(peers.map(({ id }) => id));
    for (const id of this.#met) if (!present.has(id)) this.#met.delete(id);
    const isLate = isBehind();
    for (const peer of peers) {
      if (this.#met.has(peer.id) && !isLate) continue;
      this.#met.add(peer.id);
      const height = await sources.heightOf(peer, signal);
      if (height !== undefined && height > dag.height() + this.#limits.behind) return height;
    }
    return undefined;
  }
}

interface Asked extends HeightRange {
  readonly answer: Promise<RangeResponse | undefined>;
}

/** One catching up. */
class RangeRun {
  readonly #use: RangeSyncOptions;
  readonly #limits: RangeLimits;
  readonly #signal: AbortSignal;
  /** Ascending, without gaps. */
  readonly #asked: Asked[] = [];
  #next: bigint;
  /** Given since the chain grew last. */
  #inVain = 0;
  #height: bigint;
  /** The peer of the last answer. */
  #peer: Peer | undefined;

  constructor(use: RangeSyncOptions, limits: RangeLimits, signal: AbortSignal) {
    this.#use = use;
    this.#limits = limits;
    this.#signal = signal;
    this.#height = use.dag.height();
    this.#next = this.#height > overlap ? this.#height - overlap : 0n;
  }

  async go(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#queryOn();
      const { from, to, answer } = this.#asked.shift()!;
      const range = await answer;
      if (range === undefined || !(await this.#take(range))) break;
      this.#peer = range.peer;
      // A height that is too much for one answer is left to the search by hashes.
      const next = range.next > from ? range.next : from + 1n;
      if (next <= to) this.#asked.unshift(this.#ask({ from: next, to }));
      await this.#until(({ blocks, bytes }) => blocks <= this.#limits.maxBlocks && bytes <= this.#limits.maxBytes);
    }
    await this.#until(({ blocks }) => blocks === 0);
  }

  #queryOn(): void {
    const { atOnce, heights } = this.#limits;
    while (this.#asked.length < atOnce) {
      this.#asked.push(this.#ask({ from: this.#next, to: this.#next + heights - 1n }));
      this.#next += heights;
    }
  }

  #ask(heights: HeightRange): Asked {
    return { ...heights, answer: this.#use.sources.blocksOf(heights, this.#signal) };
  }

  /** @returns false where what was given leads nowhere */
  async #take({ blocks, peer }: RangeResponse): Promise<boolean> {
    const { processor, sources, emit, timers } = this.#use;
    let unyieldedBytes = 0;
    for (const bytes of blocks) {
      if (this.#signal.aborted) return false;
      this.#inVain += 1;
      const hash = findBlockHash(bytes);
      if (hash !== undefined && processor.isKnown(hash)) continue;
      const block = await this.#read(bytes);
      const wrong = block === undefined ? "it cannot be read." : await processor.offer(block, peer);
      if (wrong !== undefined) {
        sources.distrust(peer);
        emit({ type: "rangeRefused", peer, reason: wrong });
        return false;
      }
      unyieldedBytes += bytes.length;
      if (unyieldedBytes < bytesOfTurn) continue;
      if (processor.offered.blocks < wellAhead) await timers.yieldNow();
      else await waitFor(timers, unyieldedBytes * restMsOfByte, this.#signal);
      unyieldedBytes = 0;
    }
    await timers.yieldNow();
    emit({ type: "rangeReceived", peer, blocks: blocks.length });
    return this.#leadsUp(peer);
  }

  async #read(bytes: Uint8Array): Promise<Block | undefined> {
    try {
      // A copy: what stays of a block must not keep the whole answer.
      return await this.#use.decodePeerBlock(bytes.slice());
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }

  #leadsUp(peer: Peer): boolean {
    const height = this.#use.dag.height();
    if (height > this.#height) {
      this.#height = height;
      this.#inVain = 0;
    }
    if (this.#inVain <= maxFailed + this.#limits.maxBlocks) return true;
    this.#use.sources.distrust(peer);
    return false;
  }

  /** Waits while what was given is judged; what can wait for nothing that comes is searched for by hashes. */
  async #until(isEnough: (offered: BlockProcessor["offered"]) => boolean): Promise<void> {
    const { processor, timers } = this.#use;
    while (this.#peer !== undefined && !this.#signal.aborted && !isEnough(processor.offered)) {
      if (processor.isIdle) await processor.keepOffers(this.#peer);
      await waitFor(timers, progressMs, this.#signal);
    }
  }
}

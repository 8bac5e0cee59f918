import type { ChainEvent } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import type { BlockTransfers } from "@vedette/execution";
import type { LookupResult } from "@vedette/executor";
import { type QueryReaders, ReaderPoolError, type TakeTurn } from "@vedette/executor/threads";
import { type Block, decodeStoredBlock, hashKey } from "@vedette/protocol";
import { systemTimers, type Timers, waitFor } from "@vedette/sync";
import { blockCallOf, type CallSources } from "../report/blockCall.js";
import type { AccountIndex, BlockWithoutTransfers } from "./AccountIndex.js";
import { type IndexedBlock, indexedBlock } from "./entriesOfBlock.js";

/** The sources of the history. */
export interface AccountSources extends CallSources {
  readonly index: AccountIndex;
  /** The block message. */
  readonly findBytes: (hash: Uint8Array) => Uint8Array | undefined;
  readonly readers: QueryReaders;
  /** Receives an event when all blocks had to be read again, and when a block's transfers cannot be found. */
  readonly emit?: ((event: AccountEvent) => void) | undefined;
  /** Whether there is room on the disk; left out: there is. */
  readonly mayWrite?: (() => boolean) | undefined;
  /**
   * Does a work in a moment in which the events of all blocks in the DAG have come; left out: that is so at any time.
   */
  readonly onDisk?: TakeTurn | undefined;
  /** The machine's, unless given. */
  readonly timers?: Timers | undefined;
}

/** The events of the history, for the log. */
export type AccountEvent =
  | { readonly type: "accountsBegun"; readonly blocks: number; readonly wanted: number }
  | { readonly type: "accountsComplete"; readonly blocks: number; readonly added: number }
  | { readonly type: "accountsFailed"; readonly reason: string }
  | { readonly type: "transfersUnknown"; readonly hash: Uint8Array; readonly reason: string };

/** How far the history has come, in blocks. */
export interface AccountProgress {
  readonly done: number;
  readonly total: number;
}

/** The number of blocks with transfers that are requested at once and written in one transaction. */
const batchSize = 32;
/** Blocks that wait; what is beyond is found by going through all. */
const maxWaiting = 512;
/** This many waiting blocks are kept as received; a block with its log takes megabytes. */
const maxHeldCount = 8;
/** New blocks are waited for together, so that not each one costs a transaction. */
const gatherMs = 200;
/** Interval of searches for missing blocks, besides those that new blocks start. */
const lookMs = 10_000;
const transfersMs = 60_000;
const attempts = 3;
const pauseMs = 1_000;
/** Looks that are left out after as many that have found nothing, at most. */
const maxLeftOut = 60;

/** A block that is to go into the index. */
interface Waiting {
  readonly hash: Uint8Array;
  /** `undefined` where it has to be read. */
  readonly block: Block | undefined;
}

/** Keeps the history up to date: with every block that is added, and with all that are missing. */
export class AccountFollower {
  readonly #sources: AccountSources;
  readonly #timers: Timers;
  readonly #waiting = new Map<string, Waiting>();
  /** The height at which the search for missing blocks goes on; `undefined` where none are missing. */
  #searchedTo: bigint | undefined;
  /** No block below is missing, as far as is known: a search begins here, however long the chain is. */
  #completeTo = 0n;
  /** Blocks that this search has found. */
  #missing = 0;
  #wake: (() => void) | undefined;
  /** Looks for transfers since the last one that has found some, and those that are left out now. */
  #fruitless = 0;
  #leftOut = 0;
  /** The block after which is looked for transfers the next time. */
  #requestedLast: BlockWithoutTransfers | undefined;

  constructor(sources: AccountSources) {
    this.#sources = sources;
    this.#timers = sources.timers ?? systemTimers;
  }

  /** Receives every event of the chain; new blocks are added to the history. */
  onChainEvent(event: ChainEvent): void {
    if (event.type !== "blockAdded") return;
    const { block } = event;
    if (this.#waiting.size >= maxWaiting) {
      if (block.number < this.#completeTo) this.#completeTo = block.number;
      return;
    }
    const isHeld = this.#waiting.size < maxHeldCount;
    this.#waiting.set(hashKey(block.hash), { hash: block.hash, block: isHeld ? block : undefined });
    this.#wake?.();
  }

  progress(): AccountProgress {
    const { index } = this.#sources;
    const { size, wanted } = index;
    // With blocks of another chain in it, it will be made anew.
    return { done: size > wanted || index.isBeingEmptied ? 0 : size - index.countWithoutTransfers, total: wanted };
  }

  /** Works until the signal. A failure stops nothing else, and is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { mayWrite = () => true } = this.#sources;
    while (!signal.aborted) {
      try {
        if (mayWrite()) {
          await this.#look(signal);
          await this.#addAll(signal);
          await this.#reportRest(signal);
        }
      } catch (error) {
        const reason = errorText(error);
        if (!signal.aborted) this.#sources.emit?.({ type: "accountsFailed", reason });
        this.#searchedTo = undefined;
        this.#completeTo = 0n;
        await waitFor(this.#timers, lookMs, signal);
      }
      await this.#untilWoken(signal);
    }
  }

  /** Adds what waits, then what is missing, until nothing is. */
  async #addAll(signal: AbortSignal): Promise<void> {
    const { mayWrite = () => true } = this.#sources;
    while (!signal.aborted && mayWrite()) {
      const batch = await this.#nextBatch();
      if (batch.length === 0) return;
      await this.#add(batch, signal);
      await this.#timers.yieldNow();
    }
  }

  /**
   * Begins a search where blocks are missing, in a moment in which each block that is not waits here. Where no such
   * moment comes, as on a full disk, this ends at the signal.
   */
  async #look(signal: AbortSignal): Promise<void> {
    const { onDisk = (work) => work() } = this.#sources;
    const over = new AbortController();
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => resolve(), { signal: over.signal });
      onDisk(() => {
        try {
          if (!signal.aborted) this.#lookNow();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    }).finally(() => over.abort());
  }

  /** Whether the index and the DAG have the same blocks is seen by their number and by the last finalized one. */
  #lookNow(): void {
    const { index, dag, emit } = this.#sources;
    if (this.#searchedTo !== undefined) return;
    const last = dag.lastFinalized();
    const isComplete = index.size === index.wanted && (last === undefined || index.has(last.hash));
    if (isComplete && !index.isBeingEmptied) this.#completeTo = dag.nextBlockNumber();
    if (!index.isBeingEmptied && (isComplete || index.size + this.#waiting.size === index.wanted)) return;
    this.#searchedTo = this.#completeTo;
    this.#missing = 0;
    emit?.({ type: "accountsBegun", blocks: index.size, wanted: index.wanted });
  }

  async #nextBatch(): Promise<Waiting[]> {
    const { index } = this.#sources;
    const batch: Waiting[] = [];
    for (const [key, one] of this.#waiting) {
      if (batch.length >= batchSize) break;
      this.#waiting.delete(key);
      if (!index.has(one.hash)) batch.push(one);
    }
    return batch.length > 0 ? batch : this.#search();
  }

  /** The next blocks that are missing. */
  async #search(): Promise<Waiting[]> {
    const { index, emit } = this.#sources;
    // An earlier run did not come to the end of it.
    if (index.isBeingEmptied) await this.#startAnew();
    while (this.#searchedTo !== undefined) {
      const missing = this.#searchFrom(this.#searchedTo);
      this.#missing += missing.length;
      if (missing.length > 0) return missing;
      await this.#timers.yieldNow();
      if (this.#searchedTo !== undefined) continue;
      if (index.size <= index.wanted) emit?.({ type: "accountsComplete", blocks: index.size, added: this.#missing });
      else await this.#startAnew();
    }
    return [];
  }

  /** Looks at the blocks of some heights, and notes where the search goes on. */
  #searchFrom(from: bigint): Waiting[] {
    const { dag, index } = this.#sources;
    const missing: Waiting[] = [];
    let seen = 0;
    let height = from;
    // A height may have more blocks than one look takes, so a look ends with a height.
    for (const one of dag.blocksByHeight(from, dag.nextBlockNumber())) {
      if (one.height > height && (seen >= lookSize || missing.length >= batchSize)) break;
      height = one.height;
      seen += 1;
      if (!index.has(one.hash)) missing.push({ hash: one.hash, block: undefined });
    }
    if (seen > 0 && height < dag.nextBlockNumber() - 1n) {
      this.#searchedTo = height + 1n;
      return missing;
    }
    this.#searchedTo = undefined;
    // Blocks may have come without an event, below where the search began.
    const isFruitless = this.#missing + missing.length === 0 && index.size + this.#waiting.size < index.wanted;
    this.#completeTo = isFruitless ? 0n : dag.nextBlockNumber();
    return missing;
  }

  /** The index has blocks of another chain. */
  async #startAnew(): Promise<void> {
    while (this.#sources.index.clearSome()) await this.#timers.yieldNow();
    this.#searchedTo = 0n;
  }

  /**
   * Looks once more for transfers that were not available: readers may have been behind the writer. As long as some are
   * found, others are looked for; where none are, the search becomes less frequent.
   */
  async #reportRest(signal: AbortSignal): Promise<void> {
    const { index } = this.#sources;
    if (this.#leftOut < this.#fruitless) {
      this.#leftOut += 1;
      return;
    }
    while (!signal.aborted) {
      const asked = index.blocksWithoutTransfers(batchSize, this.#requestedLast);
      if (asked.length === 0 && this.#requestedLast !== undefined) {
        this.#requestedLast = undefined;
        continue;
      }
      if (asked.length === 0) break;
      const before = index.countWithoutTransfers;
      await this.#add(
        asked.map(({ hash }) => ({ hash, block: undefined })),
        signal,
      );
      this.#requestedLast = asked.at(-1);
      if (index.countWithoutTransfers >= before) {
        this.#fruitless = Math.min(maxLeftOut, this.#fruitless + 1);
        this.#leftOut = 0;
        return;
      }
      await this.#timers.yieldNow();
    }
    this.#fruitless = 0;
  }

  async #add(batch: readonly Waiting[], signal: AbortSignal): Promise<void> {
    const { findBytes, dag, index, reporting } = this.#sources;
    const found = batch.flatMap(({ hash, block }) => {
      const bytes = findBytes(hash);
      return bytes === undefined || dag.find(hash) === undefined ? [] : [{ hash, bytes, block }];
    });
    for (let at = 0; at < found.length && !signal.aborted; at += batchSize) {
      const part = found.slice(at, at + batchSize);
      const transfers = await this.#transfersOf(part, signal);
      if (transfers === undefined) return;
      const blocks: IndexedBlock[] = [];
      for (const [place, { bytes, block }] of part.entries()) {
        blocks.push(indexedBlock(block ?? decodeStoredBlock(bytes, reporting.form), transfers[place]!));
        if (block === undefined) await this.#timers.yieldNow();
      }
      if (!signal.aborted) index.add(blocks);
    }
  }

  /** All together; where that fails, one by one. */
  async #transfersOf(
    part: readonly { readonly hash: Uint8Array; readonly bytes: Uint8Array }[],
    signal: AbortSignal,
  ): Promise<readonly LookupResult<BlockTransfers>[] | undefined> {
    const { readers } = this.#sources;
    const ask = (some: typeof part) => {
      const blocks = some.map(({ bytes }) => blockCallOf(bytes, this.#sources));
      return readers.call("transfers", { blocks, timeoutMs: transfersMs }, transfersMs, { signal });
    };
    try {
      return await ask(part);
    } catch (error) {
      if (signal.aborted || isClosed(error)) return undefined;
    }
    const found: LookupResult<BlockTransfers>[] = [];
    for (const one of part) {
      const answer = await this.#patiently(() => ask([one]), one.hash, signal);
      if (signal.aborted) return undefined;
      // A reader's failure is not the block's fault.
      found.push(answer?.[0] ?? { kind: "notYet" });
    }
    return found;
  }

  async #patiently<T>(ask: () => Promise<T>, hash: Uint8Array, signal: AbortSignal): Promise<T | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (signal.aborted || isClosed(error)) return undefined;
        if (attempt === attempts) {
          const reason = errorText(error);
          this.#sources.emit?.({ type: "transfersUnknown", hash, reason });
          return undefined;
        }
        await waitFor(this.#timers, pauseMs, signal);
      }
    }
  }

  async #untilWoken(signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const lacksTransfers = this.#sources.index.blocksWithoutTransfers(1).length > 0;
    // Results that readers do not see yet are written within moments.
    const restMs = lacksTransfers ? Math.min(lookMs, pauseMs * Math.max(1, this.#fruitless)) : lookMs;
    if (this.#waiting.size === 0) await waitFor(this.#timers, restMs, signal, woken.signal);
    this.#wake = undefined;
    await waitFor(this.#timers, gatherMs, signal);
  }
}

const lookSize = 1_000;

function isClosed(error: unknown): boolean {
  return error instanceof ReaderPoolError && error.failure.code === "closed";
}

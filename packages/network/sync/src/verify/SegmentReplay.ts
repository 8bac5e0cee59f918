import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { type Block, decodeBlock, encodeBlock, rnode, WireError } from "@vedette/protocol";
import type { HeightRange, RangePeerSelector, RangeResponse } from "../history/RangePeerSelector.js";
import type { StateImportPort } from "../ports/StatePort.js";
import { type Timers, waitFor } from "../Timers.js";
import type { ReplayedBlocks } from "./ReplayedBlocks.js";

/** Executes the blocks of a segment: it has states of its own. */
export interface SegmentExecution extends AsyncDisposable {
  readonly state: StateImportPort;
  /** Whether a block leads from the state that it names to the state and the bonds that it names. */
  replay(block: Block): Promise<boolean>;
  /** Brings the states of what was replayed to disk. */
  flush(): Promise<void>;
}

/** The parts that a segment works with. */
export interface SegmentOptions {
  readonly heights: HeightRange;
  readonly sources: Pick<RangePeerSelector, "blocksOf">;
  readonly replayed: ReplayedBlocks;
  readonly open: () => Promise<SegmentExecution>;
  /** Fetches a state from peers, checked by its root. @throws {SyncError} `stateUnobtainable` */
  readonly provideState: (root: Uint8Array, state: StateImportPort, giver: Peer, signal: AbortSignal) => Promise<void>;
  readonly timers: Timers;
}

const heightsAtOnce = 64n;
const retryMs = 10_000;
/** A segment begins with one; others belong to branches that began before it. */
const maxStates = 4;
/** Blocks with more items are left to validation. */
const maxItems = 200_000;

/**
 * Replays the blocks of some heights before validation has reached them, from a state that peers give and that is
 * checked by its hash.
 *
 * A replay is no verdict. It is used when validation, which starts at genesis, reaches the block with the same state
 * from which it was replayed.
 *
 * @spec 40 §20.1
 */
export class SegmentReplay {
  readonly #use: SegmentOptions;
  #next: bigint;
  #fetchedStates = 0;
  #isEnded = false;

  constructor(use: SegmentOptions) {
    this.#use = use;
    this.#next = use.replayed.nextOf(use.heights.from);
  }

  /** Whether a block of this height may still be replayed here. */
  isToCome(height: bigint): boolean {
    const { from, to } = this.#use.heights;
    return !this.#isEnded && height >= from && height <= to && height >= this.#next;
  }

  /** The height up to which all is done. */
  get next(): bigint {
    return this.#next;
  }

  /** Replays until the end of the segment, or until the signal. @returns why it was given up, if it was */
  async run(signal: AbortSignal): Promise<string | undefined> {
    const { heights, open } = this.#use;
    try {
      if (this.#next > heights.to) return undefined;
      await using execution = await open();
      while (this.#next <= heights.to && !signal.aborted) await this.#goOn(execution, signal);
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      return errorText(error);
    } finally {
      this.#isEnded = true;
    }
  }

  async #goOn(execution: SegmentExecution, signal: AbortSignal): Promise<void> {
    const { heights, sources, replayed, timers } = this.#use;
    const [from, last] = [this.#next, this.#next + heightsAtOnce - 1n];
    const range = await sources.blocksOf({ from, to: last < heights.to ? last : heights.to }, signal);
    if (range === undefined) {
      await waitFor(timers, retryMs, signal);
      return;
    }
    for (const block of blocksOf(range)) {
      if (signal.aborted) return;
      await this.#replay(block, range.peer, execution, signal);
      // Heights below need not be awaited.
      if (block.number > this.#next && block.number <= heights.to) this.#next = block.number;
    }
    // A height with more blocks than one answer can hold is left to validation.
    this.#next = range.next > from ? range.next : from + 1n;
    // The state must be on disk before the mark: after a restart the replay goes on from both.
    await execution.flush();
    replayed.reached(heights.from, this.#next);
  }

  async #replay(block: Block, giver: Peer, execution: SegmentExecution, signal: AbortSignal): Promise<void> {
    const { replayed, provideState } = this.#use;
    const { preStateHash } = block.body.state;
    // The block does not contain the state that several parents leave.
    if (block.parents.length !== 1 || replayed.has(encodeBlock(block), preStateHash)) return;
    if (!(await execution.state.hasRoot(preStateHash))) {
      if (this.#fetchedStates >= maxStates) return;
      this.#fetchedStates += 1;
      await provideState(preStateHash, execution.state, giver, signal);
    }
    if (await execution.replay(block)) replayed.add(encodeBlock(block), preStateHash);
  }
}

/** Those that can be read, from below. */
function* blocksOf({ blocks }: RangeResponse): Generator<Block> {
  for (const bytes of blocks) {
    try {
      yield decodeBlock(bytes.slice(), rnode.blockForm, maxItems);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }
}

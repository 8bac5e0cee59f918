import { dropOldest } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { type BlockRange, blockRanges, decodeBlockRange, encodeBlockRangeQuestion } from "@vedette/protocol";
import type { PeerRequestPort, PeersPort } from "../ports/PeersPort.js";
import { largestRangeBytes } from "../serve/serveBlockRange.js";

/** Heights, both included. */
export interface HeightRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** An answer and its peer. */
export interface RangeResponse extends BlockRange {
  readonly peer: Peer;
}

interface Source {
  /** Answers that did not come, or were none. */
  strikes: number;
  open: number;
  maximumBytes: number;
  isDistrusted: boolean;
  /** The height in its last answer. */
  height: bigint | undefined;
}

const smallestRangeBytes = 256 << 10;
/** Beside the blocks. */
const answerOverheadBytes = 64 << 10;
const answerMs = 15_000;
const maxTries = 4;
const maxSources = 1_024;

/**
 * Chooses peers for block ranges: connected ones that support the extension, the quick ones first.
 *
 * @spec 40 §18
 */
export class RangePeerSelector {
  readonly #peers: PeersPort;
  readonly #questions: PeerRequestPort;
  readonly #sources = new Map<string, Source>();

  constructor(peers: PeersPort, questions: PeerRequestPort) {
    this.#peers = peers;
    this.#questions = questions;
  }

  /** Returns the peers that can receive requests now. */
  get peers(): Peer[] {
    return this.#peers.peers.filter(
      (peer) => this.#questions.understands(peer, blockRanges) && this.#sources.get(peer.id)?.isDistrusted !== true,
    );
  }

  /** Excludes a peer that sent data no honest one sends. */
  distrust({ id }: Peer): void {
    this.#sourceOf(id).isDistrusted = true;
  }

  /** How high a peer's chain is; `undefined` where it does not answer. */
  async heightOf(peer: Peer, signal: AbortSignal): Promise<bigint | undefined> {
    return (await this.#ask(peer, { from: 1n, to: 0n }, signal))?.height;
  }

  /** Sends the request to one peer after the other. @returns `undefined` if no peer answered */
  async blocksOf(heights: HeightRange, signal: AbortSignal): Promise<RangeResponse | undefined> {
    const asked = new Set<string>();
    for (let tries = 0; tries < maxTries && !signal.aborted; tries += 1) {
      const peer = this.#choose(heights.from, asked);
      if (peer === undefined) return undefined;
      asked.add(peer.id);
      const range = await this.#ask(peer, heights, signal);
      if (range === undefined || range.height < heights.from) continue;
      const isOfHeights = range.next >= heights.from && range.next <= heights.to + 1n;
      // Heights have no gaps, so that what is below its own height cannot be empty.
      const isEmpty = range.blocks.length === 0 && range.next > heights.from;
      if (isOfHeights && !isEmpty) return { ...range, peer };
      this.distrust(peer);
    }
    return undefined;
  }

  async #ask(peer: Peer, { from, to }: HeightRange, signal: AbortSignal): Promise<BlockRange | undefined> {
    const source = this.#sourceOf(peer.id);
    const { maximumBytes } = source;
    source.open += 1;
    try {
      const question = {
        extension: blockRanges,
        content: encodeBlockRangeQuestion({ from, to, maximumBytes }),
        maxAnswerBytes: largestRangeBytes + answerOverheadBytes,
        deadlineMs: answerMs,
        signal,
      };
      const range = decodeBlockRange(await this.#questions.ask(peer, question));
      source.strikes = 0;
      source.height = range.height;
      source.maximumBytes = Math.min(largestRangeBytes, source.maximumBytes * 2);
      return range;
    } catch {
      source.strikes += 1;
      source.maximumBytes = Math.max(smallestRangeBytes, source.maximumBytes >> 2);
      return undefined;
    } finally {
      source.open -= 1;
    }
  }

  #choose(height: bigint, asked: ReadonlySet<string>): Peer | undefined {
    let best: Peer | undefined;
    let bestRank = Number.POSITIVE_INFINITY;
    for (const peer of this.peers) {
      const { strikes, open, height: known } = this.#sourceOf(peer.id);
      if (known !== undefined && known < height) continue;
      const rank = open + 2 * strikes;
      if (asked.has(peer.id) || rank >= bestRank) continue;
      best = peer;
      bestRank = rank;
    }
    return best;
  }

  #sourceOf(id: string): Source {
    let source = this.#sources.get(id);
    if (source === undefined) {
      source = { strikes: 0, open: 0, maximumBytes: largestRangeBytes, isDistrusted: false, height: undefined };
      this.#sources.set(id, source);
      dropOldest(this.#sources, maxSources);
    }
    return source;
  }
}

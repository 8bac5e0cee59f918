import type { Peer } from "@vedette/network";
import { type CasperMessage, decodePacket, rnode, WireError } from "@vedette/protocol";
import { RangePeerSelector } from "../history/RangePeerSelector.js";
import { fetchState, type ReceivedItems } from "../join/fetchState.js";
import { Mailbox } from "../join/Mailbox.js";
import { withinTime } from "../join/withinTime.js";
import type { PeerRequestPort, PeersPort } from "../ports/PeersPort.js";
import type { StateImportPort } from "../ports/StatePort.js";
import { SyncError } from "../SyncError.js";
import { type Timers, waitFor } from "../Timers.js";
import type { ReplayedBlocks } from "./ReplayedBlocks.js";
import { type SegmentExecution, SegmentReplay } from "./SegmentReplay.js";

/** The parts that the segments of a history work with. */
export interface SegmentsOptions {
  /** The height of the last one's end. */
  readonly target: bigint;
  /** Number of parts of the history; validation replays the first one. */
  readonly parts: number;
  /** Opens the states of a part, and what executes blocks on them. */
  readonly open: (part: number) => Promise<SegmentExecution>;
  readonly replayed: ReplayedBlocks;
  readonly peers: PeersPort;
  readonly questions: PeerRequestPort;
  readonly timers: Timers;
  /** Shorter parts are not worth the state that they begin with. */
  readonly minHeights?: bigint;
  /** Receives the reason why a segment was given up. */
  readonly givenUp: (from: bigint, reason: string) => void;
}

const usualLeastHeights = 64n;
const lookMs = 20;

/** The parts of a history that are replayed side by side. @spec 40 §20.1 */
export class Segments {
  readonly #use: SegmentsOptions;
  readonly #received = new Mailbox<ReceivedItems>(1);
  /** Peers answer one question about states at a time. */
  #imports: Promise<unknown> = Promise.resolve();
  #segments: readonly SegmentReplay[] = [];

  constructor(use: SegmentsOptions) {
    this.#use = use;
  }

  /** The heights that are done in each part but the first. */
  get heights(): readonly bigint[] {
    return this.#segments.map(({ next }) => next);
  }

  /** Accepts a requested page of a state. */
  handlePacket(peer: Peer, content: Uint8Array): void {
    if (!this.#received.isOpen) return;
    try {
      const { type, message } = decodePacket("StoreItemsMessage", content, rnode.packetForm) as CasperMessage;
      if (type === "StoreItemsMessage") this.#received.put({ items: message, peer });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }

  /** Replays all parts above a height until the signal. */
  async run(height: bigint, signal: AbortSignal): Promise<void> {
    const { target, parts, minHeights = usualLeastHeights } = this.#use;
    const sources = new RangePeerSelector(this.#use.peers, this.#use.questions);
    const count = BigInt(parts);
    if (count < 2n || target / count < minHeights) return;
    const begun = Array.from({ length: parts - 1 }, (_, index) => {
      const part = BigInt(index + 1);
      const from = (part * target) / count;
      const to = part + 1n === count ? target : ((part + 1n) * target) / count - 1n;
      const { replayed, timers, open } = this.#use;
      const use = { heights: { from, to }, sources, replayed, timers, open: () => open(index + 1) };
      const provideState = this.provideState.bind(this);
      return { from, segment: new SegmentReplay({ ...use, provideState }) };
    }).filter(({ from, segment }) => segment.next > from || from > height);
    this.#segments = begun.map(({ segment }) => segment);
    await Promise.all(
      begun.map(async ({ from, segment }) => {
        const reason = await segment.run(signal);
        if (reason !== undefined) this.#use.givenUp(from, reason);
      }),
    );
  }

  /**
   * Whether a block was replayed from a state; waits where it is about to be.
   *
   * @param bytes as an encoder writes them
   */
  async isReplayed(
    { bytes, number, preState }: { readonly bytes: Uint8Array; readonly number: bigint; readonly preState: Uint8Array },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { replayed, timers } = this.#use;
    for (;;) {
      if (replayed.has(bytes, preState)) return true;
      if (signal.aborted || !this.#segments.some((segment) => segment.isToCome(number))) return false;
      await waitFor(timers, lookMs, signal);
    }
  }

  /** Fetches a state, one after the other. @throws {SyncError} `stateUnobtainable` */
  provideState(root: Uint8Array, state: StateImportPort, giver: Peer | undefined, signal: AbortSignal): Promise<void> {
    const provided = this.#imports.then(() => this.#import(root, state, giver, signal));
    this.#imports = provided.catch(() => undefined);
    return provided;
  }

  async #import(root: Uint8Array, state: StateImportPort, giver: Peer | undefined, signal: AbortSignal): Promise<void> {
    const { peers, timers } = this.#use;
    const bootstrap = giver ?? peers.randomPeers(1)[0];
    if (bootstrap === undefined)
      throw new SyncError({ code: "stateUnobtainable", reason: "there is no peer to request it from" });
    const use = {
      peers,
      bootstrap,
      state,
      received: this.#received,
      emit: () => undefined,
      timers,
      packetForm: rnode.packetForm,
    };
    try {
      await withinTime(importMs, { timers, signal }, (limit) => fetchState(root, use, limit));
    } finally {
      this.#received.want();
    }
  }
}

/** A state may be large, and peers may have forgotten it. */
const importMs = 600_000;

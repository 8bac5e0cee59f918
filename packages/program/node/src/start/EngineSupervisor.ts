import type { Peer } from "@vedette/network";
import { isDiskFull } from "@vedette/store";
import { type Engine, SyncError, systemTimers, type Timers, waitFor } from "@vedette/sync";

/** Failures that do not change by themselves: the same configuration leads to the same end. */
const hopeless: ReadonlySet<SyncError["failure"]["code"]> = new Set([
  "roleNotSupported",
  "noBootstrap",
  "ownGenesisRejected",
]);
/** How often is looked whether the node has a chain. */
const lookMs = 100;
/** Pause before a node that could not join tries again. */
const rejoinMs = 30_000;

/** Messages that are answered from stored data; every other message may cause a write. */
const questions: ReadonlySet<string> = new Set([
  "ApprovedBlockRequest",
  "BlockRequest",
  "HasBlockRequest",
  "ForkChoiceTipRequest",
  "StoreItemsMessageRequest",
  "FloorCacheRequest",
  "MergeableEntryRequest",
]);

/** Access of an engine to the state of the disk. */
export interface WritingGate {
  readonly isOpen: boolean;
  opened(signal: AbortSignal): Promise<void>;
  whileOpen(signal: AbortSignal): AbortSignal;
  refused(): void;
}

/** How the engine is run. */
export interface CurrentEngineOptions {
  readonly create: () => Engine;
  /** It works while this is open. */
  readonly room: WritingGate;
  /** The machine's without. */
  readonly timers?: Timers;
}

/**
 * The engine that is at work; another one takes its place when a join has failed, and after the disk had no room: that
 * one goes on from what is on disk, as after a start.
 */
export class EngineSupervisor {
  readonly #options: CurrentEngineOptions;
  readonly #timers: Timers;
  value: Engine;

  constructor(options: CurrentEngineOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.value = options.create();
  }

  /** Joins and follows until the signal; after a failure that may pass, again. @param failed receives the reason */
  async run(failed: (message: string, pauseMs: number) => void, signal: AbortSignal): Promise<void> {
    const { room, create } = this.#options;
    for (let isUsed = false; ; isUsed = true) {
      // Until then the earlier engine answers requests of peers.
      await room.opened(signal);
      if (signal.aborted) return;
      if (isUsed) this.value = create();
      try {
        await this.value.run(room.whileOpen(signal));
      } catch (error) {
        if (isDiskFull(error)) room.refused();
        else if (!(error instanceof SyncError) || hopeless.has(error.failure.code)) throw error;
        else {
          failed(error.message, rejoinMs);
          await waitFor(this.#timers, rejoinMs, signal);
        }
      }
    }
  }

  /** Handles a packet of a peer; without room on the disk, data to be written is dropped, and requested again later. */
  async handlePacket(peer: Peer, typeId: string, content: Uint8Array): Promise<void> {
    const { room } = this.#options;
    if (!room.isOpen && !questions.has(typeId)) return;
    try {
      await this.value.handlePacket(peer, typeId, content);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      room.refused();
    }
  }

  /** Resolves when the node has a chain, or at the signal. */
  async running(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.value.status().state !== "running") await waitFor(this.#timers, lookMs, signal);
  }
}

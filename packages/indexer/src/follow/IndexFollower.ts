import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@vedette/errors";
import type { IndexDatabase } from "../database/openDatabase.js";
import { isAnew, migrate } from "../schema/migrate.js";
import { ChangeWriter } from "../write/ChangeWriter.js";
import { clearTables } from "../write/clearTables.js";
import type { IndexPosition } from "../write/IndexPosition.js";
import { noteChain, readChain, readHeight, readPosition } from "../write/state.js";
import type { ChainFeed, FeedFacts } from "./ChainFeed.js";

/** What happens to an index, for the log and the status. */
export type IndexEvent =
  /** Its tables are there and can be asked. */
  | { readonly type: "indexOpened" }
  | { readonly type: "indexBegun"; readonly height: string; readonly top: string }
  /** It goes on from where an earlier run ended: with the blocks that are left, or with what has happened since. */
  | { readonly type: "indexResumed"; readonly height: string; readonly isComplete: boolean }
  | { readonly type: "indexProgress"; readonly height: string; readonly top: string; readonly blocksPerSecond: number }
  | { readonly type: "indexComplete"; readonly blocks: number; readonly seconds: number }
  | { readonly type: "indexAnew"; readonly reason: string }
  /** The node tells only what the public API of all nodes tells. */
  | { readonly type: "indexOfPublicApi" }
  | { readonly type: "indexFailed"; readonly reason: string; readonly waitMs: number }
  | { readonly type: "indexRecovered" }
  /** It waits while the node has better things to do. */
  | { readonly type: "indexWaits" }
  /** Something was written. */
  | { readonly type: "indexChanged"; readonly height: string };

/** What a follower is made of. */
export interface FollowerParts {
  readonly database: IndexDatabase;
  readonly feed: ChainFeed;
  readonly emit: (event: IndexEvent) => void;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/** How long is waited after a failure, at first and at most. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** How often progress is told. */
const progressMs = 10_000;

/**
 * Keeps an index up to date: goes through all blocks first, then follows the log of events. Whatever fails is tried
 * again from the place that was written last.
 */
export class IndexFollower {
  readonly #parts: FollowerParts;
  readonly #writer: ChangeWriter;
  readonly #nowMs: () => number;
  #pauseMs = 0;
  #isReady = false;
  #isTold = false;
  #isWaiting = false;
  #begun: { readonly atMs: number; blocks: number; toldMs: number; toldBlocks: number } | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#writer = new ChangeWriter(parts.database);
    this.#nowMs = parts.nowMs ?? (() => performance.now());
  }

  /** Works until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const hasMore = await this.#step();
        this.#recovered();
        if (!hasMore && !signal.aborted) await this.#parts.feed.wait(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, this.#pauseMs * 2));
        this.#parts.emit({ type: "indexFailed", reason: errorText(error), waitMs: this.#pauseMs });
        await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #recovered(): void {
    if (this.#pauseMs > 0) this.#parts.emit({ type: "indexRecovered" });
    this.#pauseMs = 0;
  }

  /** One transaction. @returns whether there is more to do now */
  async #step(): Promise<boolean> {
    const { feed, database } = this.#parts;
    if (!this.#isReady) await this.#prepare();
    const facts = await feed.about();
    if (facts.begunWith === undefined) return false;
    await this.#checkChain(facts);
    if (facts.isBusy === true) return this.#waits();
    this.#isWaiting = false;
    const position = await readPosition(database);
    await this.#tellWhere(position);
    if (position.backfill !== undefined) return this.#backfill(position.backfill);
    if (position.cursor === undefined) return this.#begin();
    return this.#follow(position.cursor);
  }

  async #prepare(): Promise<void> {
    const steps = await migrate(this.#parts.database);
    if (isAnew(steps)) this.#parts.emit({ type: "indexAnew", reason: "this version has other tables" });
    this.#isReady = true;
    this.#parts.emit({ type: "indexOpened" });
  }

  /** Afterwards it is told from where it goes on. */
  #waits(): boolean {
    if (!this.#isWaiting) this.#parts.emit({ type: "indexWaits" });
    this.#isWaiting = true;
    this.#isTold = false;
    return false;
  }

  /** Once for a run, where there is something to go on from. */
  async #tellWhere({ cursor, backfill }: IndexPosition): Promise<void> {
    if (this.#isTold) return;
    this.#isTold = true;
    if (cursor === undefined && backfill === undefined) return;
    const height = await readHeight(this.#parts.database);
    if (height !== undefined) this.#parts.emit({ type: "indexResumed", height, isComplete: backfill === undefined });
  }

  #known: string | undefined;

  async #checkChain({ begunWith, epoch }: FeedFacts): Promise<void> {
    this.#writer.setEpoch(epoch);
    if (this.#known === begunWith) return;
    const { database, emit } = this.#parts;
    const noted = await readChain(database);
    if (noted !== undefined && noted !== begunWith) {
      emit({ type: "indexAnew", reason: "it has blocks of another chain" });
      await clearTables(database);
    }
    await noteChain(database, begunWith!);
    this.#known = begunWith;
  }

  async #begin(): Promise<boolean> {
    const { cursor, nextHeight } = await this.#parts.feed.top();
    await this.#writer.write([], { cursor: undefined, backfill: { height: 0n, cursor } });
    this.#parts.emit({ type: "indexBegun", height: "0", top: String(nextHeight) });
    return true;
  }

  async #backfill({ height, cursor }: NonNullable<IndexPosition["backfill"]>): Promise<boolean> {
    const { feed, emit } = this.#parts;
    const { changes, next, top } = await feed.blocks(height);
    const position =
      next === undefined ? { cursor, backfill: undefined } : { cursor: undefined, backfill: { height: next, cursor } };
    await this.#writer.write(changes, position);
    const nowMs = this.#nowMs();
    const begun = (this.#begun ??= { atMs: nowMs, blocks: 0, toldMs: nowMs, toldBlocks: 0 });
    begun.blocks += changes.length;
    emit({ type: "indexChanged", height: String((next ?? top) - 1n) });
    if (next === undefined) {
      emit({ type: "indexComplete", blocks: begun.blocks, seconds: (nowMs - begun.atMs) / 1000 });
      this.#begun = undefined;
    } else if (nowMs - begun.toldMs >= progressMs) {
      const blocksPerSecond = ((begun.blocks - begun.toldBlocks) * 1000) / (nowMs - begun.toldMs);
      emit({ type: "indexProgress", height: String(next), top: String(top), blocksPerSecond });
      begun.toldMs = nowMs;
      begun.toldBlocks = begun.blocks;
    }
    return true;
  }

  async #follow(after: string): Promise<boolean> {
    const { feed, emit } = this.#parts;
    const answer = await feed.changes(after);
    if (answer.kind === "unknown") {
      emit({ type: "indexAnew", reason: "the chain went back, or is another one" });
      await clearTables(this.#parts.database);
      this.#known = undefined;
      return true;
    }
    if (answer.kind !== "changes") {
      emit({ type: "indexAnew", reason: "the log of events does not reach back to where it stopped" });
      return this.#begin();
    }
    const { changes, cursor, hasMore } = answer;
    if (cursor !== after) await this.#writer.write(changes, { cursor, backfill: undefined });
    const added = changes.flatMap((change) => (change.kind === "blockAdded" ? [change.block.number] : []));
    if (changes.length > 0) emit({ type: "indexChanged", height: added.length === 0 ? "" : String(added.at(-1)) });
    return hasMore;
  }
}

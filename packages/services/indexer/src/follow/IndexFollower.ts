import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@vedette/errors";
import { isDamage } from "../database/indexSum.js";
import type { IndexDatabase } from "../database/openDatabase.js";
import { mayHaveReadingRole } from "../database/readingRole.js";
import { IndexError } from "../IndexError.js";
import { clearTables } from "../schema/createTables.js";
import { isAnew, migrate } from "../schema/migrate.js";
import { ChangeWriter } from "../write/ChangeWriter.js";
import { undecidedDeploys } from "../write/decisions.js";
import type { IndexPosition } from "../write/state.js";
import { noteChain, readChain, readHeight, readKnownSince, readPosition, readTakeoverPlace } from "../write/state.js";
import type { ChainFeed, FeedFacts } from "./ChainFeed.js";

/** The events of an index, for the log and the status. */
export type IndexEvent =
  /** Its tables are there and can be queried. */
  | { readonly type: "indexOpened" }
  | { readonly type: "indexBegun"; readonly height: string; readonly top: string }
  /** It goes on from where an earlier run ended: with the blocks that are left, or with what has happened since. */
  | { readonly type: "indexResumed"; readonly height: string; readonly isComplete: boolean }
  | { readonly type: "indexProgress"; readonly height: string; readonly top: string; readonly blocksPerSecond: number }
  | { readonly type: "indexComplete"; readonly blocks: number; readonly seconds: number }
  | { readonly type: "indexAnew"; readonly reason: string }
  /** From which height on the tables have all of the chain; 0: all of it. */
  | { readonly type: "indexKnown"; readonly since: string }
  /** For a PostgreSQL: its user may not make the role that runs queries. */
  | { readonly type: "indexWithoutRole" }
  /** The node offers only what the public API of all nodes offers. */
  | { readonly type: "indexOfPublicApi" }
  | { readonly type: "indexFailed"; readonly reason: string; readonly waitMs: number }
  | { readonly type: "indexRecovered" }
  /** Another process writes it; or it resumes where another one stopped; or it waits as the node is behind it. */
  | { readonly type: "indexStandsBy"; readonly writer: string }
  | { readonly type: "indexTakenOver"; readonly writer: string; readonly height: string }
  | { readonly type: "indexAhead"; readonly height: string; readonly writer: string }
  /** It waits while the node has better things to do. */
  | { readonly type: "indexWaits" }
  /** Something was written. */
  | { readonly type: "indexChanged"; readonly height: string };

/** The parts of a follower. */
export interface FollowerParts {
  readonly database: IndexDatabase;
  readonly feed: ChainFeed;
  readonly emit: (event: IndexEvent) => void;
  /** Monotonic. */
  readonly nowMs?: () => number;
  readonly pauses?: Partial<FollowerPauses>;
}

/** How long a follower waits before it looks again, in milliseconds. */
export interface FollowerPauses {
  /** After a first failure; twice as long after each one that follows it. */
  readonly failure: number;
  readonly longestFailure: number;
  /** While another process is the writer. */
  readonly standBy: number;
}

/** The action after a step. */
type Next = "goOn" | "wait" | "standBy";

const usualPauses: FollowerPauses = { failure: 500, longestFailure: 30_000, standBy: 1_000 };
/** Interval of progress reports. */
const progressMs = 10_000;
/**
 * Later merges decide again what becomes of deploys of final blocks, and that may have reached only the earlier writer
 * before it ended.
 */
const heightsAgain = 100n;
/** Below the last finalized height, in which deploys are looked for of which no final status is known. */
const heightsJudged = 1_000n;

/**
 * Keeps an index up to date: goes through all blocks first, then follows the log of events. Whatever fails is tried
 * again from the place that was written last.
 */
export class IndexFollower {
  readonly #parts: FollowerParts;
  readonly #writer: ChangeWriter;
  readonly #nowMs: () => number;
  readonly #pauses: FollowerPauses;
  #pauseMs = 0;
  #isReady = false;
  #isReported = false;
  #isWaiting = false;
  /** The writing process, if another one writes. */
  #standsBehind: string | undefined;
  #shownHeight: string | undefined;
  /** The height that the node lacks, once it was reported. */
  #aheadHeight: bigint | undefined;
  #hasVerdicts = false;
  /** The last finalized height at the last request for final statuses. */
  #judgedAt: bigint | undefined;
  #knownSince: bigint | undefined;
  #begun: { readonly atMs: number; blocks: number; reportedMs: number; reportedBlocks: number } | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#writer = new ChangeWriter(parts.database);
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#pauses = { ...usualPauses, ...parts.pauses };
  }

  /** Works until the signal. @throws an error if the database is damaged */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const next = await this.#step();
        this.#recovered();
        if (next === "standBy") await sleep(this.#pauses.standBy, undefined, { signal }).catch(() => undefined);
        else if (next === "wait" && !signal.aborted) await this.#parts.feed.wait(signal);
      } catch (error) {
        if (signal.aborted) break;
        // To try again does not help: the opener of the index makes it anew.
        if (isDamage(error)) throw error;
        const { failure, longestFailure } = this.#pauses;
        this.#pauseMs = Math.min(longestFailure, Math.max(failure, this.#pauseMs * 2));
        this.#parts.emit({ type: "indexFailed", reason: errorText(error), waitMs: this.#pauseMs });
        await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    await this.#parts.database.lease?.release().catch(() => undefined);
  }

  async #reportKnown(): Promise<void> {
    const since = await readKnownSince(this.#parts.database.db);
    if (since === undefined || since === this.#knownSince) return;
    this.#knownSince = since;
    this.#parts.emit({ type: "indexKnown", since: String(since) });
  }

  #recovered(): void {
    if (this.#pauseMs > 0) this.#parts.emit({ type: "indexRecovered" });
    this.#pauseMs = 0;
  }

  /** One transaction. @returns the next action */
  async #step(): Promise<Next> {
    const { feed, database } = this.#parts;
    if (!this.#isReady) await this.#prepare();
    const facts = await feed.about();
    // A process without a chain yet must not be the writer.
    if (facts.begunWith === undefined) return this.#gives("wait");
    if (facts.isBusy === true) return this.#waits();
    if (!(await this.#isWriter())) return "standBy";
    const position = await readPosition(database);
    const isOthers = this.#isOthers(position);
    if (!isOthers) await this.#checkChain(facts);
    this.#isWaiting = false;
    this.#hasVerdicts = facts.reportsVerdicts === true;
    if (isOthers && (position.cursor ?? position.backfill) !== undefined) return this.#takeOver(position, facts);
    await this.#reportWhere(position);
    if (position.backfill !== undefined) return this.#backfill(position.backfill);
    if (position.cursor === undefined) return this.#begin(facts);
    return this.#follow(position.cursor, facts);
  }

  async #prepare(): Promise<void> {
    const steps = await migrate(this.#parts.database);
    await this.#parts.database.lease?.prepare();
    if (this.#parts.database.kind === "postgres" && !(await mayHaveReadingRole(this.#parts.database)))
      this.#parts.emit({ type: "indexWithoutRole" });
    if (isAnew(steps)) this.#parts.emit({ type: "indexAnew", reason: "this version has other tables" });
    this.#isReady = true;
    this.#parts.emit({ type: "indexOpened" });
    await this.#reportKnown();
  }

  /** Waits; afterwards the height from which it resumes is reported. */
  #waits(): Promise<Next> {
    if (!this.#isWaiting) this.#parts.emit({ type: "indexWaits" });
    this.#isWaiting = true;
    this.#isReported = false;
    return this.#gives("wait");
  }

  /** Another process may write meanwhile. */
  async #gives(next: Next): Promise<Next> {
    await this.#parts.database.lease?.release();
    return next;
  }

  /** Whether this process is the one that writes. Meanwhile it reports what the other one has written. */
  async #isWriter(): Promise<boolean> {
    const { database, emit } = this.#parts;
    if (database.lease === undefined) return true;
    const { isOwn, name } = await database.lease.hold();
    if (isOwn) {
      // Another one may have written since.
      if (this.#standsBehind !== undefined) this.#writer.forget();
      this.#standsBehind = undefined;
      return true;
    }
    if (this.#standsBehind !== name) emit({ type: "indexStandsBy", writer: name });
    this.#standsBehind = name;
    this.#isReported = false;
    this.#known = undefined;
    await this.#reportKnown();
    const height = await readHeight(database);
    if (height !== undefined && height !== this.#shownHeight) emit({ type: "indexChanged", height });
    this.#shownHeight = height;
    return false;
  }

  /** Whether its place is one in the log of another process's node. */
  #isOthers({ writer }: IndexPosition): boolean {
    const { lease } = this.#parts.database;
    return lease !== undefined && writer !== undefined && writer !== lease.name;
  }

  /**
   * Goes on where another process had it, by the own node's log: from below the lowest height of which not all is decided
   * on, if the own node has the highest final block of it.
   *
   * @throws {IndexQueryError} `differs`
   */
  async #takeOver({ writer = "", backfill }: IndexPosition, { begunWith: chain }: FeedFacts): Promise<Next> {
    const { feed, database, emit } = this.#parts;
    const place = await readTakeoverPlace(database);
    let from = 0n;
    if (place !== undefined) {
      const { height, hash } = place.final;
      const { changes, top } = await feed.blocks(height);
      const there = changes.flatMap((one) =>
        one.kind === "blockAdded" && one.block.number === height ? [one.block] : [],
      );
      const own = there.find((block) => block.hash === hash);
      if (own?.fate !== "finalized") {
        await database.lease?.release();
        const isOtherFinal = own?.fate === "forkedAway" || there.some(({ fate }) => fate === "finalized");
        if (isOtherFinal) throw new IndexError({ code: "differs", height, writer });
        return this.#standByAt(height, top, writer);
      }
      const missing = backfill !== undefined && backfill.height < place.undecided ? backfill.height : place.undecided;
      from = missing > heightsAgain ? missing - heightsAgain : 0n;
    }
    const { cursor } = await feed.top();
    await this.#writer.write([], { cursor: undefined, backfill: { height: from, cursor }, chain });
    this.#known = chain;
    emit({ type: "indexTakenOver", writer, height: String(from) });
    return "goOn";
  }

  /** The own node does not have the highest final block of the index yet. */
  #standByAt(height: bigint, top: bigint, writer: string): Next {
    const { emit } = this.#parts;
    if (top > 0n && this.#aheadHeight !== height) emit({ type: "indexAhead", height: String(height), writer });
    this.#aheadHeight = height;
    return "standBy";
  }

  /** Once for a run, where there is something to go on from. */
  async #reportWhere({ cursor, backfill }: IndexPosition): Promise<void> {
    if (this.#isReported) return;
    this.#isReported = true;
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

  async #begin({ blocksSince = 0n }: FeedFacts): Promise<Next> {
    const { feed, database } = this.#parts;
    const { cursor, nextHeight } = await feed.top();
    // Rows that are there stay.
    const knownSince = (await readKnownSince(database.db)) ?? blocksSince;
    await this.#writer.write([], { cursor: undefined, backfill: { height: 0n, cursor }, knownSince });
    await this.#reportKnown();
    this.#parts.emit({ type: "indexBegun", height: "0", top: String(nextHeight) });
    return "goOn";
  }

  async #backfill({ height, cursor }: NonNullable<IndexPosition["backfill"]>): Promise<Next> {
    const { feed, emit } = this.#parts;
    const { changes, next, top } = await feed.blocks(height);
    const position =
      next === undefined ? { cursor, backfill: undefined } : { cursor: undefined, backfill: { height: next, cursor } };
    await this.#writer.write(changes, position);
    await this.#judge({ from: height, to: (next ?? top) - 1n });
    await this.#reportKnown();
    const nowMs = this.#nowMs();
    const begun = (this.#begun ??= { atMs: nowMs, blocks: 0, reportedMs: nowMs, reportedBlocks: 0 });
    begun.blocks += changes.length;
    emit({ type: "indexChanged", height: String((next ?? top) - 1n) });
    if (next === undefined) {
      emit({ type: "indexComplete", blocks: begun.blocks, seconds: (nowMs - begun.atMs) / 1000 });
      this.#begun = undefined;
    } else if (nowMs - begun.reportedMs >= progressMs) {
      const blocksPerSecond = ((begun.blocks - begun.reportedBlocks) * 1000) / (nowMs - begun.reportedMs);
      emit({ type: "indexProgress", height: String(next), top: String(top), blocksPerSecond });
      begun.reportedMs = nowMs;
      begun.reportedBlocks = begun.blocks;
    }
    return "goOn";
  }

  /** Requests the final statuses of the deploys of some heights that have none yet. */
  async #judge(heights: { readonly from: bigint; readonly to: bigint }): Promise<void> {
    const { feed, database } = this.#parts;
    if (!this.#hasVerdicts || feed.verdicts === undefined) return;
    const deploys = await undecidedDeploys(database, heights);
    if (deploys.length === 0) return;
    const answers = await feed.verdicts(deploys);
    const verdicts = new Map<string, "failed" | "expired">();
    for (const [at, { id }] of deploys.entries()) {
      const verdict = answers[at];
      if (verdict === "failed" || verdict === "expired") verdicts.set(id, verdict);
    }
    await this.#writer.judge(verdicts);
  }

  async #judgeRecent(): Promise<void> {
    if (!this.#hasVerdicts) return;
    const final = (await readTakeoverPlace(this.#parts.database))?.final.height;
    if (final === undefined || final === this.#judgedAt) return;
    await this.#judge({ from: final - heightsJudged, to: final });
    this.#judgedAt = final;
  }

  async #follow(after: string, facts: FeedFacts): Promise<Next> {
    const { feed, emit } = this.#parts;
    const answer = await feed.changes(after);
    if (answer.kind === "unknown") {
      emit({ type: "indexAnew", reason: "the chain went back, or is another one" });
      await clearTables(this.#parts.database);
      this.#known = undefined;
      return "goOn";
    }
    if (answer.kind !== "changes") {
      emit({ type: "indexAnew", reason: "the log of events does not reach back to where it stopped" });
      return this.#begin(facts);
    }
    const { changes, cursor, hasMore } = answer;
    if (cursor !== after) {
      await this.#writer.write(changes, { cursor, backfill: undefined });
      await this.#reportKnown();
    }
    await this.#judgeRecent();
    const added = changes.flatMap((change) => (change.kind === "blockAdded" ? [change.block.number] : []));
    if (changes.length > 0) emit({ type: "indexChanged", height: added.length === 0 ? "" : String(added.at(-1)) });
    return hasMore ? "goOn" : "wait";
  }
}

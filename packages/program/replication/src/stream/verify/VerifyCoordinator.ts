import { setTimeout as sleep } from "node:timers/promises";
import { StreamError } from "../StreamError.js";
import type { VerifyQueue } from "./VerifyQueue.js";
import {
  encodeProgress,
  encodeTask,
  idOfTask,
  keyOfSegment,
  maxBlocks,
  readResult,
  type VerifyProgress,
  type VerifyResult,
} from "./verifyMessages.js";

/** The chain that is to be verified, as a node holds it final. */
export interface FinalChain {
  /** Lets it be seen as it is now. */
  refresh(): void;
  /** The lowest height that there are blocks of, and that of the last finalized block; `undefined` before there is one. */
  bounds(): { readonly from: number; readonly finalized: number } | undefined;
  /** Hashes of the final blocks from one height to another, both included, from below, in lower-case hex. */
  blocks(from: number, to: number): readonly string[];
}

/** Reports about a coordinator's work. */
export type CoordinatorEvent =
  | { readonly type: "begun"; readonly from: number; readonly finalized: number }
  /** A block does not match its statements, or the worker that reports it is broken. */
  | { readonly type: "differs"; readonly result: VerifyResult }
  /** No worker could verify a segment. It is tried again later. */
  | { readonly type: "unverified"; readonly result: VerifyResult }
  | { readonly type: "progress"; readonly progress: VerifyProgress }
  | { readonly type: "failed"; readonly error: Error; readonly waitMs: number };

/** The parts that a coordinator works with. */
export interface VerifyCoordinatorOptions {
  readonly network: string;
  readonly chain: FinalChain;
  readonly queue: VerifyQueue;
  /** Heights of a task. */
  readonly heights: number;
  /** Ends when everything that is final at the beginning has been looked at. */
  readonly isOnce: boolean;
  readonly emit: (event: CoordinatorEvent) => void;
  readonly pollMs?: number;
  readonly firstWaitMs?: number;
  /** Milliseconds before a segment is given out again that no worker could verify, or that seems forgotten. */
  readonly retryMs?: number;
}

interface Segment {
  readonly from: number;
  readonly to: number;
  /** The id of its task, once it was requested. */
  id?: string;
  result?: VerifyResult;
  /** When it was given out last; monotonic. */
  givenMs?: number;
  /** How often it was reported without an end. */
  rounds?: number;
  /** How much was found of all segments when it was reported so last. */
  foundBefore?: number;
}

const usualPollMs = 1_000;
const usualFirstWaitMs = 250;
const longestWaitMs = 30_000;
const usualRetryMs = 600_000;
/**
 * A segment is given up when it was reported so often as not to be verified while nothing was found of any other: a
 * worker that lacks the blocks may be quicker at handing tasks back than those that have them at verifying. One that
 * no worker finishes may be what ends its workers, so that its reports count whatever else is found.
 */
export const maxRounds = 3;
/** Tasks that lie in the queue at a time. */
const maxGiven = 256;
const maxReported = 100;
/** Segments that are compared with their results before others have their turn. */
const segmentsPerYield = 32;

/**
 * Cuts a chain's final blocks into tasks for workers, and reports up to which block all segments are verified. A result
 * counts for the very blocks that are final here, so that a worker with another chain verifies nothing. The coordinator
 * stores nothing itself: results stay in the queue's stream.
 *
 * @spec 40 §20.2
 */
export class VerifyCoordinator {
  readonly #options: VerifyCoordinatorOptions;
  readonly #segments = new Map<string, Segment>();
  #published = "";
  #top: number | undefined;
  #next: number | undefined;
  #found = 0;

  constructor(options: VerifyCoordinatorOptions) {
    this.#options = options;
  }

  /** Works until the signal, or until all is done. @returns how far it is @throws {StreamError} `otherStream` */
  async run(signal: AbortSignal): Promise<VerifyProgress | undefined> {
    const { emit, queue, firstWaitMs = usualFirstWaitMs, pollMs = usualPollMs } = this.#options;
    let waitMs = firstWaitMs;
    let isOpen = false;
    let last: VerifyProgress | undefined;
    while (!signal.aborted) {
      try {
        if (!isOpen) await this.#open();
        isOpen = true;
        last = await this.#look();
        if (last !== undefined && this.#options.isOnce && last.segments.left === 0) return last;
        waitMs = firstWaitMs;
        await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      } catch (error) {
        if (!(error instanceof StreamError) || error.failure.code !== "unusable") throw error;
        if (signal.aborted) break;
        isOpen = false;
        emit({ type: "failed", error: new Error(`${error.message} (${queue.label})`), waitMs });
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
        waitMs = Math.min(longestWaitMs, 2 * waitMs);
      }
    }
    return last;
  }

  async #open(): Promise<void> {
    await this.#options.queue.open();
    this.#published = "";
    // Tasks that were lost with the server's store are given out again; present ones are not taken twice.
    for (const segment of this.#segments.values()) {
      delete segment.givenMs;
      delete segment.rounds;
    }
  }

  async #look(): Promise<VerifyProgress | undefined> {
    const { chain, queue, emit } = this.#options;
    chain.refresh();
    const bounds = chain.bounds();
    if (bounds === undefined) return undefined;
    this.#extend(bounds);
    for (const { subject, bytes } of await queue.results()) await this.#take(subject, bytes);
    await this.#giveOut();
    const progress = this.#progress(bounds);
    const text = JSON.stringify(progress);
    if (text === this.#published) return progress;
    await queue.publishProgress(encodeProgress(progress));
    this.#published = text;
    emit({ type: "progress", progress });
    return progress;
  }

  /** Cuts what became final; what is too short for a task waits for more. */
  #extend({ from, finalized }: { readonly from: number; readonly finalized: number }): void {
    const { heights, isOnce, emit } = this.#options;
    if (this.#next === undefined) emit({ type: "begun", from, finalized });
    let next = this.#next ?? from;
    const top = (this.#top ??= isOnce ? finalized : undefined) ?? finalized;
    while (next <= top) {
      const to = Math.min(next + heights - 1 - (next % heights), isOnce ? top : Number.POSITIVE_INFINITY);
      if (to > top) break;
      this.#segments.set(keyOfSegment({ from: next, to }), { from: next, to });
      next = to + 1;
    }
    this.#next = next;
  }

  async #take(subject: string, bytes: Uint8Array): Promise<void> {
    const result = this.#readResult(subject, bytes);
    if (result === undefined) return;
    const segment = this.#segments.get(keyOfSegment(result));
    if (segment === undefined || !subject.endsWith(`.${keyOfSegment(result)}`)) return;
    this.#compared += 1;
    if (this.#compared % segmentsPerYield === 0) await new Promise((resolve) => setImmediate(resolve));
    const { id, bytes: task } = this.#taskOf(segment);
    // A result for other blocks than are final here is ignored.
    if (result.task !== id) return;
    if (result.outcome === "verified" && result.blocks !== task) return;
    const before = segment.result;
    const isFound = result.outcome === "verified" || result.outcome === "differs";
    if (isFound) this.#found += 1;
    else if (before === undefined && !this.#isGivenUp(segment, result)) {
      delete segment.givenMs;
      return;
    }
    segment.result = result;
    if (result.outcome === "verified" || before?.outcome === result.outcome) return;
    this.#options.emit({ type: result.outcome === "differs" ? "differs" : "unverified", result });
  }

  #readResult(subject: string, bytes: Uint8Array): VerifyResult | undefined {
    try {
      return readResult(subject, bytes);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#options.emit({ type: "failed", error, waitMs: 0 });
      return undefined;
    }
  }

  #isGivenUp(segment: Segment, { outcome }: VerifyResult): boolean {
    const { rounds = 0, foundBefore } = segment;
    segment.rounds = outcome === "unverified" && foundBefore !== this.#found ? 1 : rounds + 1;
    segment.foundBefore = this.#found;
    return segment.rounds >= maxRounds;
  }

  #compared = 0;

  /** @returns the id of the task, and its number of blocks */
  #taskOf(segment: Segment): { readonly id: string; readonly bytes: number; readonly message: Uint8Array } {
    const { network, chain } = this.#options;
    const { from, to } = segment;
    const blocks = chain.blocks(from, to);
    if (blocks.length > maxBlocks || blocks.length === 0) {
      const reason = `heights ${from} to ${to} have ${blocks.length} final blocks, and a task 1 to ${maxBlocks}: give other --task-size`;
      throw new StreamError({ code: "stateMissing", height: BigInt(from), reason });
    }
    const message = encodeTask({ network, from, to, blocks: [...blocks] });
    segment.id ??= idOfTask(message);
    return { id: segment.id, bytes: blocks.length, message };
  }

  async #giveOut(): Promise<void> {
    const { queue, retryMs = usualRetryMs } = this.#options;
    const nowMs = performance.now();
    let given = 0;
    for (const segment of this.#segments.values()) {
      const { givenMs, rounds } = segment;
      const isRecent = givenMs !== undefined && nowMs - givenMs < retryMs;
      if (!this.#isLeft(segment, isRecent)) continue;
      given += 1;
      if (given > maxGiven) return;
      if (isRecent) continue;
      const isAdded = await queue.add(keyOfSegment(segment), this.#taskOf(segment).message);
      // The worker that reported it may not have handed it back yet.
      if (isAdded || rounds === undefined) segment.givenMs = nowMs;
    }
  }

  /** Whether a segment is to be given out. What was given up just now takes no place of what was not tried yet. */
  #isLeft({ result }: Segment, isRecent: boolean): boolean {
    if (result === undefined) return true;
    const isGivenUp = result.outcome === "unverified" || result.outcome === "unfinished";
    return isGivenUp && !this.#options.isOnce && !isRecent;
  }

  #progress({ from, finalized }: { readonly from: number; readonly finalized: number }): VerifyProgress {
    const segments = { verified: 0, differing: 0, unverified: 0, left: 0 };
    const differences: VerifyProgress["differences"] = [];
    let verifiedTo: number | null = null;
    let isWhole = true;
    for (const { to, result } of this.#segments.values()) {
      const state = stateOf(result);
      segments[state] += 1;
      isWhole &&= state === "verified";
      if (isWhole) verifiedTo = to;
      if (state !== "differing" || result?.finding === undefined || differences.length >= maxReported) continue;
      differences.push({ from: result.from, worker: result.worker, ...result.finding });
    }
    return {
      network: this.#options.network,
      from,
      verifiedTo,
      finalized: this.#top ?? finalized,
      segments,
      differences,
    };
  }
}

function stateOf(result: VerifyResult | undefined): keyof VerifyProgress["segments"] {
  switch (result?.outcome) {
    case undefined:
      return "left";
    case "verified":
      return "verified";
    case "differs":
      return "differing";
    default:
      return "unverified";
  }
}

import { MessageChannel, Worker } from "node:worker_threads";
import type { IndexStatusView } from "@vedette/api";
import { answerCalls } from "@vedette/executor/threads";
import { isDamage } from "../database/indexSum.js";
import type { IndexLocation } from "../database/openDatabase.js";
import { IndexQueries } from "../query/IndexQueries.js";
import type { IndexEvent } from "./IndexFollower.js";
import type { IndexThreadSettings } from "./indexThread.js";
import { type LocalFeed, methodsOf } from "./LocalFeed.js";

/** The parts of a node's index. */
export interface NodeIndexParts {
  readonly place: IndexLocation;
  readonly feed: LocalFeed;
  readonly emit: (event: IndexEvent) => void;
  /** Whether the node has better things to do than to be indexed; left out: at no time. */
  readonly isBusy?: () => boolean;
  /** Whether questions may be answered from tables that lack the beginning of the chain; left out: no. */
  readonly isPartial?: boolean;
}

const heapMb = 256;
/** The size of the young heap: by default a thread would use three times as much before it collects garbage. */
const youngMb = 16;
/** News are gathered for this time, so that the thread is not woken for each of many blocks. */
const gatherMs = 100;
const restartMs = 5_000;

/** The index of a running node: a thread that writes it, and processes that answer from it. */
export class NodeIndex implements AsyncDisposable {
  readonly queries: IndexQueries;
  readonly #parts: NodeIndexParts;
  #worker: Worker | undefined;
  #news: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isEnded = false;
  /** Whether the file was found to be damaged. */
  #isSuspect = false;
  #opened: () => void = () => {};
  #phase: IndexStatusView["phase"] = "starting";
  #height: bigint | undefined;
  #blocksPerSecond: number | undefined;
  #lastError: string | undefined;
  #knownSince: bigint | undefined;

  constructor(parts: NodeIndexParts) {
    this.#parts = parts;
    const whenOpen = new Promise<void>((resolve) => {
      this.#opened = resolve;
    });
    const failed = (error: unknown) => this.#onQueryFailed(error);
    this.queries = new IndexQueries(parts.place, { whenOpen, failed, isPartial: parts.isPartial ?? false });
  }

  /** Begins to write; nothing that goes wrong there comes to the node. */
  start(): void {
    const { port1, port2 } = new MessageChannel();
    const { feed, isBusy = () => false } = this.#parts;
    const about = async () => ({ ...(await feed.about()), isBusy: isBusy() });
    answerCalls(port1, { ...methodsOf(feed), about });
    port1.unref();
    const settings: IndexThreadSettings = { place: this.#parts.place, feed: port2, isSuspect: this.#isSuspect };
    this.#isSuspect = false;
    const worker = new Worker(new URL("./indexThread.js", import.meta.url), {
      workerData: settings,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      execArgv: [],
    });
    this.#worker = worker;
    worker.on("message", (event: IndexEvent) => this.#onEvent(event));
    worker.on("error", (error) => {
      this.#isSuspect ||= isDamage(error);
      this.#onEvent({
        type: "indexFailed",
        reason: error instanceof Error ? error.message : String(error),
        waitMs: restartMs,
      });
    });
    worker.on("exit", () => {
      port1.close();
      this.#worker = undefined;
      if (!this.#isEnded) this.#restart = setTimeout(() => this.start(), restartMs).unref();
    });
  }

  /** Must be called when something has happened to the chain. */
  onChange(): void {
    if (this.#isEnded) return;
    this.#news ??= setTimeout(() => {
      this.#news = undefined;
      this.#worker?.postMessage("wake");
    }, gatherMs).unref();
  }

  progress(): IndexStatusView {
    const [phase, blockNumber, lastError] = [this.#phase, this.#height, this.#lastError];
    const [blocksPerSecond, knownSince] = [this.#blocksPerSecond, this.#knownSince];
    return { phase, blockNumber, blocksPerSecond, lastError, knownSince };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#news);
    clearTimeout(this.#restart);
    await this.queries[Symbol.asyncDispose]();
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("end");
    const timer = setTimeout(() => void worker.terminate(), stopMs);
    await ended;
    clearTimeout(timer);
  }

  /** Handles a failed query that found damage: the writer may not come to the damaged place. */
  #onQueryFailed(error: unknown): void {
    if (!isDamage(error) || this.#isSuspect || this.#isEnded) return;
    this.#isSuspect = true;
    this.#worker?.postMessage("end");
  }

  #onEvent(event: IndexEvent): void {
    this.#note(event);
    // They have the old file open.
    if (event.type === "indexAnew") void this.queries.renew();
    if (event.type === "indexChanged") this.queries.changed();
    this.#parts.emit(event);
  }

  #note(event: IndexEvent): void {
    switch (event.type) {
      case "indexOpened":
        this.#opened();
        return;
      case "indexBegun":
        this.#phase = "backfilling";
        return;
      case "indexResumed":
        this.#phase = event.isComplete ? "following" : "backfilling";
        this.#height = BigInt(event.height);
        return;
      case "indexWaits":
        this.#phase = "waiting";
        return;
      case "indexStandsBy":
        this.#phase = "standingBy";
        return;
      case "indexTakenOver":
        this.#phase = "backfilling";
        return;
      case "indexAhead":
        this.#phase = "standingBy";
        this.#height = BigInt(event.height);
        return;
      case "indexProgress":
        this.#phase = "backfilling";
        this.#blocksPerSecond = Math.round(event.blocksPerSecond);
        return;
      case "indexComplete":
        this.#phase = "following";
        this.#blocksPerSecond = undefined;
        return;
      case "indexFailed":
        this.#phase = "failing";
        this.#lastError = event.reason;
        return;
      case "indexRecovered":
        this.#phase = this.#blocksPerSecond === undefined ? "following" : "backfilling";
        this.#lastError = undefined;
        return;
      case "indexAnew":
        this.#height = undefined;
        return;
      case "indexKnown":
        this.#knownSince = BigInt(event.since);
        return;
      case "indexChanged":
        if (this.#phase === "starting" || this.#phase === "waiting") this.#phase = "following";
        if (event.height !== "") this.#height = BigInt(event.height);
    }
  }
}

/** A transaction that is being written has this time to end. */
const stopMs = 5_000;

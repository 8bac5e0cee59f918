import { errorText } from "@vedette/errors";
import { isDiskFull } from "@vedette/store";
import { alarmIn } from "../plainMessages.js";
import { StreamError, type StreamFailure } from "../StreamError.js";
import { StreamNames } from "../StreamNames.js";
import { Agreements, outvoted } from "./Agreements.js";
import {
  type PublisherHeartbeat,
  PublisherHeartbeats,
  type SilenceEvent,
  watchSilence,
} from "./PublisherHeartbeats.js";
import type { QuorumRule } from "./Quorum.js";
import type { BlockApplyResult, ReplicaChain } from "./ReplicaChain.js";
import { type AppliedMessage, StreamMessageApplier } from "./StreamMessageApplier.js";
import type { SourceMessage, StreamSource } from "./StreamSource.js";

/** Reports about a replica's work. */
export type ReplicaEvent =
  /** It reads the stream from here. `isOther`: another stream than before, from its first message. */
  | { readonly type: "begun"; readonly from: number; readonly newest: number; readonly isOther: boolean }
  /** `behindMs`: since the server took the message, by two clocks. */
  | {
      readonly type: "took";
      readonly kind: "block" | "final";
      readonly hash: string;
      readonly number: number;
      readonly taken: BlockApplyResult;
      readonly behindMs: number;
    }
  /** It waits until more publishers agree on the next block. */
  | { readonly type: "waits"; readonly error: StreamError }
  /** A message cannot be taken, and the chain may do without: the next one is read. */
  | { readonly type: "skipped"; readonly error: StreamError }
  /** Something in the stream shows that it is of the chain that is here, of which nothing was known before. */
  | { readonly type: "joined" }
  /** The stream has deleted messages that were not taken yet. */
  | { readonly type: "aged"; readonly from: number; readonly to: number }
  | SilenceEvent
  /** `isStanding`: it does not pass by itself. */
  | { readonly type: "failed"; readonly error: StreamError; readonly waitMs: number; readonly isStanding: boolean };

/** How far a replica is. */
export interface ReplicaProgress {
  /** Whether the server answers. */
  readonly isConnected: boolean;
  /** Sequence of the last message that it has taken. */
  readonly sequence: number | undefined;
  /** Messages that are known to lie ahead. */
  readonly pending: number;
  /** Messages that could not be taken and were passed over, since it began. */
  readonly skipped: number;
  /**
   * When it last had all messages, by `performance.now()`: at the end of a stream that a publisher reported complete.
   * `undefined` before that, and while nothing shows that the stream is of the chain that is here.
   */
  readonly atEndMs: number | undefined;
  readonly publishers: readonly PublisherHeartbeat[];
}

type Counted = Omit<ReplicaProgress, "atEndMs" | "publishers">;

/** The parts that a replica works with. */
export interface ReplicaOptions {
  readonly network: string;
  readonly source: StreamSource;
  readonly chain: ReplicaChain;
  readonly emit: (event: ReplicaEvent) => void;
  /** How many publishers must agree; without it, one is enough. */
  readonly quorum?: QuorumRule | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Before a failed piece of work is done again at first; twice as long each time. */
  readonly firstWaitMs?: number;
  /** Before it is looked again at what does not pass by itself; without, that is thrown. */
  readonly standMs?: number;
  /** Messages that are taken at once while more are there. */
  readonly maxTotal?: number;
  /** Is waited for before messages are taken: until there is room on the disk, or until the signal. */
  readonly hasRoom?: (signal: AbortSignal) => Promise<void>;
}

const usualFirstWaitMs = 250;
const longestWaitMs = 10_000;
/** Failures that only another configuration repairs. */
const hopeless: ReadonlySet<StreamFailure["code"]> = new Set([
  "otherNetwork",
  "otherDialect",
  "otherStream",
  "otherBeginning",
  "noBeginning",
]);
/** Messages with nothing to write, after which the place is noted. */
const messagesOfNote = 50;
const usualTogether = 64;
/** As they come, whatever they unfold to. */
const maxBytesTogether = 4 << 20;

/**
 * Follows a stream and takes its messages into a chain of its own: the last message by itself, and earlier ones many at
 * a time. Messages that are not taken yet wait at the server. Messages that come twice change nothing, and those that
 * come out of order are read again. Messages that do not continue the chain are read again once, before that counts as
 * a gap.
 *
 * If publishers differ it stops before the block in question, and also at a message that cannot be right. A message
 * that cannot be taken, and that the chain does not need, is skipped, and that is reported.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #names: StreamNames;
  readonly #agreements: Agreements;
  readonly #taker: StreamMessageApplier;
  readonly #signs: PublisherHeartbeats;
  #progress: Counted = { isConnected: false, sequence: undefined, pending: 0, skipped: 0 };
  /** The stream that is read. */
  #stream: string | undefined;
  #wasJoined = true;
  #atEndMs: number | undefined;
  /** The place at which something was missing, when the stream was read last. */
  #missedAt: string | undefined;
  #noted = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#names = new StreamNames(options.network);
    const { quorum, source, network, chain } = options;
    this.#taker = new StreamMessageApplier({
      network,
      source,
      chain,
      names: this.#names,
      onlyAgreed: quorum !== undefined,
    });
    this.#signs = new PublisherHeartbeats(this.#names, quorum?.publishers);
    source.subscribe(this.#names.lives, (subject, bytes) => this.#signs.take(subject, bytes, performance.now()));
    const onTooFew = (error: StreamError) => options.emit({ type: "waits", error });
    this.#agreements = new Agreements({ rule: quorum, names: this.#names, source, chain, onTooFew });
  }

  get progress(): ReplicaProgress {
    const nowMs = performance.now();
    const atEndMs = this.#isAtEnd ? nowMs : this.#atEndMs;
    const wholeMs = this.#signs.completeUntilMs(nowMs);
    const hasBoth = atEndMs !== undefined && wholeMs !== undefined && this.#isJoined;
    return {
      ...this.#progress,
      atEndMs: hasBoth ? Math.min(atEndMs, wholeMs) : undefined,
      publishers: this.#signs.publishers(),
    };
  }

  get #isAtEnd(): boolean {
    return this.#progress.isConnected && this.#progress.pending === 0;
  }

  /** Whether the stream is of the chain that is here, where there is one. */
  get #isJoined(): boolean {
    const { chain } = this.#options;
    return this.#stream !== undefined && (!chain.hasBegun || chain.join.isJoined(this.#stream));
  }

  #is(progress: Partial<Counted>): void {
    if (this.#isAtEnd) this.#atEndMs = performance.now();
    this.#progress = { ...this.#progress, ...progress };
  }

  /**
   * Works until the signal.
   *
   * @throws {StreamError} `otherNetwork`, `otherStream`, `otherBeginning`, `noBeginning`; without `standMs` also
   *   `differs`, `refused`, `gap`, `messageWrong`
   */
  async run(signal: AbortSignal): Promise<void> {
    const { emit, firstWaitMs = usualFirstWaitMs, standMs } = this.#options;
    using _silence = watchSilence(this.#signs, () => this.#progress.isConnected, emit);
    let waitMs = firstWaitMs;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          waitMs = firstWaitMs;
        });
      } catch (cause) {
        this.#is({ isConnected: false });
        if (signal.aborted) return;
        const error = reportedOf(cause);
        const isStanding = !this.#mayPass(error);
        if (isStanding && (standMs === undefined || hopeless.has(error.failure.code))) throw error;
        const pauseMs = isStanding ? standMs! : waitMs;
        emit({ type: "failed", error, waitMs: pauseMs, isStanding });
        await pause(pauseMs, signal);
        waitMs = Math.min(longestWaitMs, 2 * waitMs);
      }
    }
  }

  /** Missing messages are looked for once more. */
  #mayPass({ failure }: StreamError): boolean {
    if (failure.code === "unusable" || failure.code === "noRoom") return true;
    if (failure.code !== "gap") return false;
    const isAgain = this.#missedAt === failure.hash;
    this.#missedAt = failure.hash;
    return !isAgain;
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { source, chain, emit } = this.#options;
    const { stream, first, last, newest, newestMs } = await source.open();
    const ageMs = newestMs === undefined ? undefined : Math.max(0, this.#options.nowMs() - newestMs);
    const lives = await source.subjects(this.#names.lives);
    this.#signs.begin(lives, ageMs === undefined ? undefined : performance.now() - ageMs);
    const before = chain.place();
    // A place ahead of a stream comes from another stream, with any id.
    const isSame = before !== undefined && before.stream === stream && before.sequence <= last;
    const next = isSame ? before.sequence + 1 : await this.#firstWanted(first);
    if (isSame && next < first) emit({ type: "aged", from: next, to: first - 1 });
    const from = Math.max(next, first);
    chain.follow(stream, isSame && next < first);
    this.#stream = stream;
    await this.#lookWhoseItIs(stream);
    await this.#lookForAlarms();
    emit({ type: "begun", from, newest, isOther: before !== undefined && !isSame });
    this.#is({ isConnected: true, sequence: from - 1, pending: Math.max(0, newest - from + 1) });
    this.#reportWhetherJoined();
    const taking: SourceMessage[] = [];
    const takeAll = async () => {
      await this.#options.hasRoom?.(signal);
      if (signal.aborted) return;
      await this.#taker.take(taking.splice(0), {
        stream,
        done: (outcome) => {
          this.#done(outcome, stream);
          onProgress();
        },
        agrees: async (message) => (await this.#agreements.to(message, signal)) === "agreed",
      });
    };
    try {
      if (!(await this.#readFrom(from, taking, takeAll, signal))) return;
    } catch (error) {
      // Received messages are not requested again.
      if (taking.length > 0 && !signal.aborted) await takeAll();
      throw error;
    }
    if (!signal.aborted)
      throw new StreamError({ code: "unusable", server: source.label, reason: "no more messages come" });
  }

  /** A stream that has the last final block that is here is of the same chain. */
  async #lookWhoseItIs(stream: string): Promise<void> {
    const { source, chain } = this.#options;
    const { wanted } = chain.join;
    if (wanted === undefined || chain.join.isJoined(stream)) return;
    if ((await source.sequenceOf(this.#names.block(wanted.hash, "valid"))) !== undefined)
      chain.join.see(stream, wanted.hash);
  }

  /** At the end of a stream that shows nothing of the chain that is here there may be nothing to wait for. */
  #reportWhetherJoined(): void {
    const { chain, emit } = this.#options;
    const { wanted } = chain.join;
    if (this.#isJoined === this.#wasJoined) return;
    if (this.#isJoined) emit({ type: "joined" });
    else if (wanted === undefined || !this.#isAtEnd) return;
    else emit({ type: "waits", error: new StreamError({ code: "notJoined", ...wanted }) });
    this.#wasJoined = this.#isJoined;
  }

  /** Messages about the content of the snapshot are not read. */
  async #firstWanted(first: number): Promise<number> {
    const hash = this.#options.chain.readsFrom();
    if (hash === undefined) return first;
    return (await this.#options.source.sequenceOf(this.#names.block(hash, "valid"))) ?? first;
  }

  /** Gathers what comes, and takes it whenever that is enough. @returns `false` after the signal */
  async #readFrom(
    from: number,
    taking: SourceMessage[],
    takeAll: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { source, maxTotal = usualTogether } = this.#options;
    let [delivered, bytes] = [0, 0];
    for await (const message of source.read(from, signal)) {
      if (message.delivery <= delivered) continue;
      delivered += 1;
      if (message.delivery !== delivered)
        throw new StreamError({ code: "unusable", server: source.label, reason: "messages came out of order" });
      this.#is({ pending: message.pending + 1 + taking.length });
      const agreement = await this.#agreementTo(message, takeAll, signal);
      if (agreement === "ended") return false;
      if (agreement === "outvoted") continue;
      taking.push(message);
      bytes += message.bytes.length;
      if (message.pending > 0 && taking.length < maxTotal && bytes < maxBytesTogether) continue;
      bytes = 0;
      await takeAll();
      if (signal.aborted) return false;
    }
    return true;
  }

  /** Waits until enough publishers agree to a message, where they have to; one that is outvoted is passed over. */
  async #agreementTo(message: SourceMessage, takeAll: () => Promise<void>, signal: AbortSignal) {
    if (!this.#agreements.concern(message)) return "agreed";
    // Others may be waited for, for long.
    await takeAll();
    const agreement = await this.#agreements.to(message, signal);
    if (agreement === "outvoted") this.#done({ message, hasWritten: false, skipped: outvoted(message) }, this.#stream!);
    return agreement;
  }

  #done({ message, hasWritten, change, skipped }: AppliedMessage, stream: string): void {
    const { chain, emit, nowMs } = this.#options;
    if (skipped !== undefined) {
      this.#is({ skipped: this.#progress.skipped + 1 });
      emit({ type: "skipped", error: skipped });
    }
    if (change !== undefined) emit({ type: "took", ...change, behindMs: nowMs() - message.storedMs });
    if (hasWritten) this.#missedAt = undefined;
    this.#noted = hasWritten ? 0 : this.#noted + 1;
    if (!hasWritten && (message.pending === 0 || this.#noted >= messagesOfNote)) {
      chain.note({ stream, sequence: message.sequence });
      this.#noted = 0;
    }
    this.#is({ sequence: message.sequence, pending: message.pending });
    this.#reportWhetherJoined();
  }

  /** Those that lie ahead count too: the chain stays before the block. */
  async #lookForAlarms(): Promise<void> {
    const { source } = this.#options;
    for (const subject of await source.subjects(this.#names.alarms)) {
      const bytes = await source.find(subject);
      const alarm = bytes && alarmIn(subject, bytes);
      if (alarm !== undefined) throw alarm;
    }
  }
}

/** Turns an error that may pass, or that has a remedy, into a reported one. @throws all else */
function reportedOf(cause: unknown): StreamError {
  if (cause instanceof StreamError) return cause;
  if (isDiskFull(cause)) return new StreamError({ code: "noRoom", reason: errorText(cause) }, { cause });
  throw cause;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

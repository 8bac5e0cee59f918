import { type BlockFacts, readContent, readFacts } from "../blockMessage.js";
import { readAlarm, readFinal } from "../plainMessages.js";
import { StreamError, type StreamFailure } from "../StreamError.js";
import { StreamNames, type Verdict } from "../StreamNames.js";
import { fetchBody } from "./fetchBody.js";
import { type Claim, Quorum, type QuorumRule } from "./Quorum.js";
import type { ReplicaChain, Taken } from "./ReplicaChain.js";
import type { ReplicaPlace } from "./ReplicaPlace.js";
import type { StreamMessage, StreamSource } from "./StreamSource.js";

/** What a replica tells of its work. */
export type ReplicaEvent =
  /** It reads the stream from here. `isOther`: another stream than before, from its first message. */
  | { readonly type: "begun"; readonly from: number; readonly newest: number; readonly isOther: boolean }
  /** `behindMs`: since the server took the message, by two clocks. */
  | {
      readonly type: "took";
      readonly kind: "block" | "final";
      readonly hash: string;
      readonly number: number;
      readonly taken: Taken;
      readonly behindMs: number;
    }
  /** It waits until more publishers say the same of the next block. */
  | { readonly type: "waits"; readonly error: StreamError }
  /** Messages that the stream no longer keeps lie between what was taken and what there is. */
  | { readonly type: "aged"; readonly from: number; readonly to: number }
  /** `isStanding`: it does not pass by itself. */
  | { readonly type: "failed"; readonly error: StreamError; readonly waitMs: number; readonly isStanding: boolean };

/** How far a replica is. */
export interface ReplicaProgress {
  /** Whether it hears from the server. */
  readonly isConnected: boolean;
  /** Sequence of the last message that it has taken. */
  readonly sequence: number | undefined;
  /** Messages that are known to lie ahead. */
  readonly pending: number;
  /** When it was last at the end, by `performance.now()`; `undefined` before it was. */
  readonly atEndMs: number | undefined;
}

/** What a replica works with. */
export interface ReplicaOptions {
  readonly network: string;
  readonly source: StreamSource;
  readonly chain: ReplicaChain;
  readonly emit: (event: ReplicaEvent) => void;
  /** How many must say the same; the first one's word is enough without. */
  readonly quorum?: QuorumRule | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Before a failed piece of work is done again at first; twice as long each time. */
  readonly firstWaitMs?: number;
  /** Before it is looked again at what does not pass by itself; without, that is thrown. */
  readonly standMs?: number;
}

const usualFirstWaitMs = 250;
const longestWaitMs = 10_000;
/** What another configuration mends, and nothing else. */
const hopeless: ReadonlySet<StreamFailure["code"]> = new Set([
  "otherNetwork",
  "otherStream",
  "otherBeginning",
  "noBeginning",
]);
/** Messages with nothing to write, after which the place is noted. */
const messagesOfNote = 50;

/**
 * Follows a stream and takes what comes into a chain of its own, message by message: what is not taken in yet waits with
 * the server. Messages that come twice change nothing, and those that come out of order are read again. So are those that
 * do not go on from what is here, once, before that is taken for a gap.
 *
 * Where publishers differ it stops before the block in question, and so it does at what cannot be right.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #names: StreamNames;
  readonly #quorum: Quorum | undefined;
  #progress: Omit<ReplicaProgress, "atEndMs"> = { isConnected: false, sequence: undefined, pending: 0 };
  #atEndMs: number | undefined;
  /** The place at which something was missing, when the stream was read last. */
  #missedAt: string | undefined;
  #noted = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#names = new StreamNames(options.network);
    const { quorum, source } = options;
    this.#quorum = quorum === undefined ? undefined : new Quorum(quorum, this.#names, source);
  }

  get progress(): ReplicaProgress {
    return { ...this.#progress, atEndMs: this.#isAtEnd ? performance.now() : this.#atEndMs };
  }

  get #isAtEnd(): boolean {
    return this.#progress.isConnected && this.#progress.pending === 0;
  }

  #is(progress: Partial<Omit<ReplicaProgress, "atEndMs">>): void {
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
    let waitMs = firstWaitMs;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          waitMs = firstWaitMs;
        });
      } catch (error) {
        this.#is({ isConnected: false });
        if (signal.aborted) return;
        if (!(error instanceof StreamError)) throw error;
        const isStanding = !this.#mayPass(error);
        if (isStanding && (standMs === undefined || hopeless.has(error.failure.code))) throw error;
        const pauseMs = isStanding ? standMs! : waitMs;
        emit({ type: "failed", error, waitMs: pauseMs, isStanding });
        await pause(pauseMs, signal);
        waitMs = Math.min(longestWaitMs, 2 * waitMs);
      }
    }
  }

  /** What is missing is looked for once more. */
  #mayPass({ failure }: StreamError): boolean {
    if (failure.code === "unusable") return true;
    if (failure.code !== "gap") return false;
    const isAgain = this.#missedAt === failure.hash;
    this.#missedAt = failure.hash;
    return !isAgain;
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { source, chain, emit } = this.#options;
    const { stream, first, last, newest } = await source.open();
    const before = chain.place();
    // What is ahead of a stream was told by another one, whatever that is called.
    const isSame = before !== undefined && before.stream === stream && before.sequence <= last;
    const next = isSame ? before.sequence + 1 : first;
    if (isSame && next < first) emit({ type: "aged", from: next, to: first - 1 });
    const from = Math.max(next, first);
    await this.#lookForAlarms();
    emit({ type: "begun", from, newest, isOther: before !== undefined && !isSame });
    this.#is({ isConnected: true, sequence: from - 1, pending: Math.max(0, newest - from + 1) });
    let delivered = 0;
    for await (const message of source.read(from, signal)) {
      if (message.delivery <= delivered) continue;
      delivered += 1;
      if (message.delivery !== delivered)
        throw new StreamError({ code: "unusable", server: source.label, reason: "messages came out of order" });
      const place: ReplicaPlace = { stream, sequence: message.sequence };
      this.#is({ pending: message.pending + 1 });
      if (!(await this.#isAgreed(message, signal))) return;
      const hasWritten = await this.#take(message, place);
      if (hasWritten) this.#missedAt = undefined;
      this.#noted = hasWritten ? 0 : this.#noted + 1;
      if (!hasWritten && (message.pending === 0 || this.#noted >= messagesOfNote)) {
        chain.note(place);
        this.#noted = 0;
      }
      this.#is({ sequence: place.sequence, pending: message.pending });
      onProgress();
      if (signal.aborted) return;
    }
    if (!signal.aborted)
      throw new StreamError({ code: "unusable", server: source.label, reason: "no more messages come" });
  }

  /** Those that lie ahead count too: the chain stays before the block. */
  async #lookForAlarms(): Promise<void> {
    const { source } = this.#options;
    for (const subject of await source.subjects(this.#names.alarms)) {
      const bytes = await source.find(subject);
      if (bytes !== undefined) throw readAlarm(subject, bytes);
    }
  }

  /** @returns `false` after the signal */
  #isAgreed(message: StreamMessage, signal: AbortSignal): Promise<boolean> | true {
    const claim = this.#quorum === undefined ? undefined : this.#claimOf(message);
    if (claim === undefined) return true;
    return this.#quorum!.agrees(claim, (error) => this.#options.emit({ type: "waits", error }), signal);
  }

  /** What a message wants believed that is not here yet. */
  #claimOf({ subject, bytes }: StreamMessage): Claim | undefined {
    const named = this.#names.read(subject);
    const { chain } = this.#options;
    if (named?.kind === "final" && !chain.isFinal(named.hash))
      return { hash: named.hash, what: "final", content: named.hash };
    if (named?.kind !== "block" || chain.verdictOf(named.hash) === named.verdict) return undefined;
    return { hash: named.hash, what: named.verdict, content: readFacts(subject, bytes).facts.content };
  }

  /** @returns whether anything was written */
  async #take(message: StreamMessage, place: ReplicaPlace): Promise<boolean> {
    const named = this.#names.read(message.subject);
    // Others may put what they like beside it, where the server lets them.
    if (named === undefined || named.kind === "part" || named.kind === "said") return false;
    if (named.kind === "alarm") throw readAlarm(message.subject, message.bytes);
    if (named.kind === "final") return this.#takeFinal(message, place);
    const facts = this.#factsOf(message.subject, message.bytes, named);
    const known = this.#options.chain.verdictOf(named.hash);
    if (known === named.verdict) return false;
    if (known !== undefined) return this.#takeOther(facts, place);
    const content = await readContent(message.subject, facts, await this.#body(message));
    this.#took(message, "block", facts, await this.#options.chain.take(facts, content, place));
    return true;
  }

  #factsOf(
    subject: string,
    bytes: Uint8Array,
    named: { readonly hash: string; readonly verdict: Verdict },
  ): BlockFacts {
    const { facts } = readFacts(subject, bytes);
    const { network } = this.#options;
    if (facts.network !== network)
      throw new StreamError({ code: "otherNetwork", found: facts.network, expected: network });
    if (facts.hash !== named.hash || facts.verdict !== named.verdict)
      throw new StreamError({ code: "messageWrong", subject, reason: "it is of another block or verdict" });
    return facts;
  }

  #body({ subject, bytes }: StreamMessage): Promise<Uint8Array> | Uint8Array {
    const { facts, body } = readFacts(subject, bytes);
    if (facts.parts === 0) return body;
    return fetchBody(facts, (number) => this.#options.source.find(this.#names.part(facts.content, number)));
  }

  /** A block that has another verdict here: only who gave the first one may take it back (40 §17.4). */
  async #takeOther(facts: BlockFacts, place: ReplicaPlace): Promise<boolean> {
    const { source, chain } = this.#options;
    const other = facts.verdict === "valid" ? "invalid" : "valid";
    const subject = this.#names.block(facts.hash, other);
    const bytes = await source.find(subject);
    const by = bytes === undefined ? "(its message is kept no longer)" : readFacts(subject, bytes).facts.publisher;
    if (facts.verdict === "valid" && by === facts.publisher) {
      chain.revise(facts.hash, place);
      return true;
    }
    const [valid, invalid] = facts.verdict === "valid" ? [facts.publisher, by] : [by, facts.publisher];
    throw new StreamError({ code: "differs", hash: facts.hash, valid, invalid });
  }

  #takeFinal(message: StreamMessage, place: ReplicaPlace): boolean {
    const facts = readFinal(message.subject, message.bytes);
    if (this.#names.read(message.subject)?.hash !== facts.hash)
      throw new StreamError({ code: "messageWrong", subject: message.subject, reason: "it is of another block" });
    // What becomes final with a later block does so at once, with that.
    if (facts.with !== facts.hash || this.#options.chain.isFinal(facts.hash)) return false;
    this.#took(message, "final", facts, this.#options.chain.takeFinal(facts, place));
    return true;
  }

  #took(
    { storedMs }: StreamMessage,
    kind: "block" | "final",
    { hash, number }: { readonly hash: string; readonly number: number },
    taken: Taken,
  ): void {
    const behindMs = this.#options.nowMs() - storedMs;
    this.#options.emit({ type: "took", kind, hash, number, taken, behindMs });
  }
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

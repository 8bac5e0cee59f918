import { type BlockMessageFacts, readFacts } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";
import {
  ChainStreamReader,
  type MessageReaderOptions,
  type MessageWork,
  type ReadableMessage,
} from "./ChainStreamReader.js";
import type { CheckedBlock } from "./checkBlock.js";
import type { BlockApplyResult, ReplicaChain } from "./ReplicaChain.js";
import type { StreamPosition } from "./StreamPosition.js";
import type { SourceMessage } from "./StreamSource.js";

/** The result of applying a message. */
export interface AppliedMessage {
  readonly message: SourceMessage;
  readonly hasWritten: boolean;
  /** The change by the message; left out if that was here already. */
  readonly change?: {
    readonly kind: "block" | "final";
    readonly hash: string;
    readonly number: number;
    readonly taken: BlockApplyResult;
  };
  /** Why it was passed over. */
  readonly skipped?: StreamError;
}

interface ReadMessage {
  readonly message: SourceMessage;
  readonly work: MessageWork;
}

/** The context for taking messages. */
export interface Taking {
  readonly stream: string;
  /** Called with each message when its writes are on disk. */
  readonly done: (outcome: AppliedMessage) => void;
  /** Whether what a message wants believed that is looked for out of its turn may be taken; `false` ends the taking. */
  readonly agrees: (message: ReadableMessage) => Promise<boolean>;
}

type States = ReadonlyMap<string, Parameters<ReplicaChain["take"]>[2]>;

/** Content of messages that are taken together; a single one may be longer. */
const maxContentBytes = 16 << 20;
/** Blocks that are looked for before one message, at most; only their hashes are kept meanwhile. */
const maxPending = 1_000_000;

/**
 * Takes messages into a replica's chain. For all messages that arrived together, one transaction writes their states,
 * and a second one the chain's records of them: a replica that is far behind waits for the disk twice for all, and not
 * thrice for each. A message that needs more than the messages with it is taken by itself. If its dependencies come
 * later, as in a stream that was filled again, they are found and taken first.
 */
export class StreamMessageApplier {
  readonly #options: MessageReaderOptions;
  readonly #reader: ChainStreamReader;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
    this.#reader = new ChainStreamReader(options);
  }

  /**
   * Takes messages in their order, up to one that cannot be.
   *
   * @throws {StreamError} what is wrong with the first that could not be taken
   */
  async take(messages: readonly SourceMessage[], taking: Taking): Promise<void> {
    const { stream, done } = taking;
    for (let at = 0; at < messages.length; ) {
      const read = await this.#read(messages.slice(at), stream);
      const states = await this.#adopt(read);
      const together = upTo(read, ({ work }) => !hasState(work, states));
      const taken = together.length > 1 ? await this.#takeTogether(together, stream, states, done) : 0;
      at += taken;
      if (taken > 0) continue;
      const first = read[0]!;
      if (!(await this.#takeWhatItNeeds(first, taking))) return;
      done(await this.#takeOne(first, stream));
      at += 1;
    }
  }

  /** @returns `false` where it is not to go on */
  async #takeWhatItNeeds({ message, work }: ReadMessage, taking: Taking): Promise<boolean> {
    const { chain } = this.#options;
    const pending = [...this.#neededBy(work)];
    // The message itself is not taken yet: a replica that is killed now comes to it again.
    const place = { stream: taking.stream, sequence: message.sequence - 1 };
    let hasLapsed = false;
    for (let hash = pending.at(-1); hash !== undefined; hash = pending.at(-1)) {
      if (chain.verdictOf(hash) !== undefined) {
        pending.pop();
        continue;
      }
      const found = await this.#find(hash, taking);
      if (found === "ended") return false;
      // The block that builds on it reports that it is missing.
      if (found === undefined || pending.length > maxPending) return true;
      const missing = chain.missingOf(found);
      if (missing.length > 0) {
        pending.push(...missing);
        continue;
      }
      await this.#takeEarly(found, place, hasLapsed);
      hasLapsed = true;
      // It lies before what this chain began with.
      if (chain.verdictOf(hash) === undefined) return true;
    }
    return true;
  }

  /** Takes a block out of its turn: what is made from now on has no names for a while. */
  async #takeEarly(found: CheckedBlock, place: StreamPosition, hasLapsed: boolean): Promise<void> {
    const { chain } = this.#options;
    const isFirst = !chain.hasBegun;
    if (!isFirst && !hasLapsed) chain.lapse();
    await chain.take(found, place);
    if (isFirst) chain.lapse();
  }

  /** Hashes of blocks that have to be here first; of the block that everything begins with nothing is missing. */
  #neededBy(work: MessageWork): readonly string[] {
    const { chain } = this.#options;
    if (work.kind === "block") return chain.missingOf(work.checked);
    return work.kind === "final" && chain.verdictOf(work.facts.hash) === undefined ? [work.facts.hash] : [];
  }

  /** A block, wherever in the stream its message is. */
  async #find(hash: string, { stream, agrees }: Taking): Promise<CheckedBlock | "ended" | undefined> {
    const { source, names } = this.#options;
    for (const verdict of ["valid", "invalid"] as const) {
      const subject = names.block(hash, verdict);
      const bytes = await source.find(subject);
      if (bytes === undefined) continue;
      const message = { subject, bytes };
      const work = await this.#reader.read(message, stream);
      if (work.kind !== "block") continue;
      return (await agrees(message)) ? work.checked : "ended";
    }
    return undefined;
  }

  /** The next messages that may be taken together; at least one. */
  async #read(messages: readonly SourceMessage[], stream: string): Promise<ReadMessage[]> {
    const read: ReadMessage[] = [];
    const hashes = new Set<string>();
    let bytes = 0;
    for (const message of messages) {
      const work = await this.#readOne(message, stream, read.length === 0);
      if (work === undefined) break;
      const facts = blockFactsOf(work);
      const isOwnTurn = work.kind === "other" || (facts !== undefined && hashes.has(facts.hash));
      bytes += facts?.bytes ?? 0;
      if (read.length > 0 && (isOwnTurn || bytes > maxContentBytes)) break;
      read.push({ message, work });
      if (isOwnTurn || !this.#options.chain.hasBegun) break;
      if (facts !== undefined) hashes.add(facts.hash);
    }
    return read;
  }

  /** @returns `undefined` for one that cannot be read and is not the first: its error is reported when its turn comes */
  async #readOne(message: SourceMessage, stream: string, isFirst: boolean): Promise<MessageWork | undefined> {
    try {
      return await this.#reader.read(message, stream);
    } catch (error) {
      if (isFirst) throw error;
      return undefined;
    }
  }

  /** The states of the blocks among messages; nothing for a single one. */
  async #adopt(read: readonly ReadMessage[]): Promise<States> {
    if (read.length < 2) return new Map();
    const valid = read.flatMap(({ work }) =>
      work.kind === "block" && work.checked.facts.verdict === "valid" ? [work.checked] : [],
    );
    const based = upTo(valid, ({ facts }) => facts.base === null);
    if (based.length === 0) return new Map();
    const answers = await this.#options.chain.adopt(based);
    return new Map(
      answers.flatMap((answer, at) => (answer.kind === "unbased" ? [] : [[based[at]!.facts.hash, answer]])),
    );
  }

  /**
   * @returns how many were taken: what needs more than what came with it is left
   * @throws {StreamError} what is wrong with one that could not be taken
   */
  async #takeTogether(
    read: readonly ReadMessage[],
    stream: string,
    states: States,
    done: (outcome: AppliedMessage) => void,
  ): Promise<number> {
    const outcomes: AppliedMessage[] = [];
    let failure: { readonly error: unknown } | undefined;
    await this.#options.chain.together(async () => {
      try {
        for (const one of read) outcomes.push(await this.#takeOne(one, stream, states));
      } catch (error) {
        // The messages before it are taken.
        failure = { error };
      }
    });
    for (const outcome of outcomes) done(outcome);
    const isGap = failure?.error instanceof StreamError && failure.error.failure.code === "gap";
    if (failure !== undefined && !isGap) throw failure.error;
    return outcomes.length;
  }

  /** Messages of another chain are skipped once the stream is known to be of this one. */
  async #takeOne(read: ReadMessage, stream: string, states?: States): Promise<AppliedMessage> {
    try {
      return await this.#takeWork(read, stream, states);
    } catch (error) {
      const isOthers = error instanceof StreamError && error.failure.code === "otherChain";
      if (!isOthers || !this.#options.chain.join.isJoined(stream)) throw error;
      return { message: read.message, hasWritten: false, skipped: error };
    }
  }

  async #takeWork({ message, work }: ReadMessage, stream: string, states?: States): Promise<AppliedMessage> {
    const { chain } = this.#options;
    const place = { stream, sequence: message.sequence };
    switch (work.kind) {
      case "none":
        if (work.hash !== undefined) chain.join.see(stream, work.hash);
        return { message, hasWritten: false };
      case "skipped":
        return { message, hasWritten: false, skipped: work.error };
      case "final": {
        const { hash, number } = work.facts;
        if (chain.isFinal(hash)) return { message, hasWritten: false };
        const taken = chain.takeFinal(work.facts, place);
        return { message, hasWritten: true, change: { kind: "final", hash, number, taken } };
      }
      case "other":
        await this.#requireSameJudge(work.facts);
        chain.revise(work.facts.hash, place);
        return { message, hasWritten: true };
      case "block": {
        const { hash, number } = work.checked.facts;
        const taken = await chain.take(work.checked, place, states?.get(hash));
        const change = { kind: "block", hash, number, taken } as const;
        return { message, hasWritten: true, change, ...(work.instead && { skipped: work.instead }) };
      }
    }
  }

  /** Only the publisher of a block's first verdict may revoke it (40 §17.4). @throws {StreamError} `differs` */
  async #requireSameJudge(facts: BlockMessageFacts): Promise<void> {
    const { source, names } = this.#options;
    const subject = names.block(facts.hash, facts.verdict === "valid" ? "invalid" : "valid");
    const bytes = await source.find(subject);
    const by = bytes === undefined ? "(its message is kept no longer)" : publisherIn(subject, bytes);
    if (facts.verdict === "valid" && by === facts.publisher) return;
    const [valid, invalid] = facts.verdict === "valid" ? [facts.publisher, by] : [by, facts.publisher];
    throw new StreamError({ code: "differs", hash: facts.hash, valid, invalid });
  }
}

function blockFactsOf(work: MessageWork): BlockMessageFacts | undefined {
  return work.kind === "block" ? work.checked.facts : undefined;
}

function publisherIn(subject: string, bytes: Uint8Array): string {
  try {
    return readFacts(subject, bytes).facts.publisher;
  } catch (error) {
    if (error instanceof StreamError) return "(its message cannot be read)";
    throw error;
  }
}

/** Returns the elements before the first that ends it. */
function upTo<T>(all: readonly T[], isEnd: (one: T) => boolean): readonly T[] {
  const end = all.findIndex(isEnd);
  return end < 0 ? all : all.slice(0, end);
}

/** Whether nothing has to be waited for to take it. */
function hasState(work: MessageWork, states: States): boolean {
  if (work.kind === "other") return false;
  return work.kind !== "block" || work.checked.facts.verdict === "invalid" || states.has(work.checked.facts.hash);
}

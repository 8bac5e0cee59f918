import { type BlockFacts, readFacts } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";
import { MessageReader, type MessageReaderOptions, type Work } from "./MessageReader.js";
import type { ReplicaChain, Taken } from "./ReplicaChain.js";
import type { StreamMessage } from "./StreamSource.js";

/** What became of a message. */
export interface Outcome {
  readonly message: StreamMessage;
  readonly hasWritten: boolean;
  /** What it told of; left out where that was here already. */
  readonly told?: {
    readonly kind: "block" | "final";
    readonly hash: string;
    readonly number: number;
    readonly taken: Taken;
  };
  /** Why it was passed over. */
  readonly skipped?: StreamError;
}

interface ReadMessage {
  readonly message: StreamMessage;
  readonly work: Work;
}

type States = ReadonlyMap<string, Parameters<ReplicaChain["take"]>[2]>;

/** Content of messages that are taken together; a single one may be longer. */
const mostContentBytes = 16 << 20;

/**
 * Takes messages into a replica's chain: those that have come by together in one transaction for their states, and then
 * in one for what the chain says of them, so that who is far behind waits for the disk twice for all, and not thrice for
 * each. A message that needs more than what came with it is taken by itself.
 */
export class MessageTaker {
  readonly #options: MessageReaderOptions;
  readonly #reader: MessageReader;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
    this.#reader = new MessageReader(options);
  }

  /**
   * Takes messages in their order, up to one that cannot be.
   *
   * @param done told of each, when what it wrote is on disk
   * @throws {StreamError} what is wrong with the first that could not be taken
   */
  async take(messages: readonly StreamMessage[], stream: string, done: (outcome: Outcome) => void): Promise<void> {
    for (let at = 0; at < messages.length; ) {
      const read = await this.#read(messages.slice(at));
      const states = await this.#adopt(read);
      const together = upTo(read, ({ work }) => !hasState(work, states));
      if (together.length > 1) await this.#takeTogether(together, stream, states, done);
      else done(await this.#takeOne(read[0]!, stream));
      at += Math.max(1, together.length);
    }
  }

  /** The next messages that may be taken together; at least one. */
  async #read(messages: readonly StreamMessage[]): Promise<ReadMessage[]> {
    const read: ReadMessage[] = [];
    const hashes = new Set<string>();
    let bytes = 0;
    for (const message of messages) {
      let work: Work;
      try {
        work = await this.#reader.read(message);
      } catch (error) {
        // It is told when its turn comes.
        if (read.length > 0) break;
        throw error;
      }
      const facts = work.kind === "block" ? work.checked.facts : undefined;
      const isOwnTurn = work.kind === "other" || (facts !== undefined && hashes.has(facts.hash));
      bytes += facts?.bytes ?? 0;
      if (read.length > 0 && (isOwnTurn || bytes > mostContentBytes)) break;
      read.push({ message, work });
      if (isOwnTurn || !this.#options.chain.hasBegun) break;
      if (facts !== undefined) hashes.add(facts.hash);
    }
    return read;
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

  async #takeTogether(
    read: readonly ReadMessage[],
    stream: string,
    states: States,
    done: (outcome: Outcome) => void,
  ): Promise<void> {
    const outcomes: Outcome[] = [];
    let failure: { readonly error: unknown } | undefined;
    await this.#options.chain.together(async () => {
      try {
        for (const one of read) outcomes.push(await this.#takeOne(one, stream, states));
      } catch (error) {
        // What came before it is taken.
        failure = { error };
      }
    });
    for (const outcome of outcomes) done(outcome);
    if (failure !== undefined) throw failure.error;
  }

  async #takeOne({ message, work }: ReadMessage, stream: string, states?: States): Promise<Outcome> {
    const { chain } = this.#options;
    const place = { stream, sequence: message.sequence };
    switch (work.kind) {
      case "none":
        return { message, hasWritten: false };
      case "skipped":
        return { message, hasWritten: false, skipped: work.error };
      case "final": {
        const { hash, number } = work.facts;
        if (chain.isFinal(hash)) return { message, hasWritten: false };
        const taken = chain.takeFinal(work.facts, place);
        return { message, hasWritten: true, told: { kind: "final", hash, number, taken } };
      }
      case "other":
        await this.#requireSameJudge(work.facts);
        chain.revise(work.facts.hash, place);
        return { message, hasWritten: true };
      case "block": {
        const { hash, number } = work.checked.facts;
        const taken = await chain.take(work.checked, place, states?.get(hash));
        return { message, hasWritten: true, told: { kind: "block", hash, number, taken } };
      }
    }
  }

  /** Only who gave a block its first verdict may take that back (40 §17.4). @throws {StreamError} `differs` */
  async #requireSameJudge(facts: BlockFacts): Promise<void> {
    const { source, names } = this.#options;
    const subject = names.block(facts.hash, facts.verdict === "valid" ? "invalid" : "valid");
    const bytes = await source.find(subject);
    const by = bytes === undefined ? "(its message is kept no longer)" : readFacts(subject, bytes).facts.publisher;
    if (facts.verdict === "valid" && by === facts.publisher) return;
    const [valid, invalid] = facts.verdict === "valid" ? [facts.publisher, by] : [by, facts.publisher];
    throw new StreamError({ code: "differs", hash: facts.hash, valid, invalid });
  }
}

/** What comes before the first that ends it. */
function upTo<T>(all: readonly T[], isEnd: (one: T) => boolean): readonly T[] {
  const end = all.findIndex(isEnd);
  return end < 0 ? all : all.slice(0, end);
}

/** Whether nothing has to be waited for to take it. */
function hasState(work: Work, states: States): boolean {
  if (work.kind === "other") return false;
  return work.kind !== "block" || work.checked.facts.verdict === "invalid" || states.has(work.checked.facts.hash);
}

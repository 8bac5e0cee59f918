import { equalBytes, toHex } from "@vedette/crypto";
import { findDialect, unmarkedDialect } from "@vedette/protocol";
import type { LogEntry } from "@vedette/queries/events";
import { type BlockMessageFacts, readContent, readFacts } from "./blockMessage.js";
import { type EntryMessage, type MessageSource, messageOf } from "./entryMessages.js";
import { alarmMessage, readAlarm, readFinal, saidMessage } from "./plainMessages.js";
import { StreamError } from "./StreamError.js";
import type { BlockVerdict, Statement, StreamNames } from "./StreamNames.js";
import type { StreamPort } from "./StreamPort.js";

/** Reports about messages that are put into a stream. */
export type EntryEvent =
  /** `isFirst`: no other publisher had published it before. */
  | {
      readonly type: "published";
      readonly hash: Uint8Array;
      readonly kind: "block" | "final";
      readonly isFirst: boolean;
    }
  /** Another publisher found something else of a block. */
  | { readonly type: "differs"; readonly hash: Uint8Array; readonly own: BlockVerdict; readonly by: string }
  /** Another message occupies the subject of a message, which is put beside it. */
  | { readonly type: "occupied"; readonly subject: string };

/** The sources of an entry's messages, and their destination. */
export interface EntryPublisherOptions extends MessageSource {
  readonly port: StreamPort;
  readonly names: StreamNames;
  readonly emit: (event: EntryEvent) => void;
}

/** The result of publishing an entry that has a message. */
export interface PublishedEntry {
  readonly subject: string;
  /** Whether no other publisher had published it before. */
  readonly isFirst: boolean;
}

/**
 * Publishes the entries of a node's log to a stream, with subjects that have room for one message each. An invalid
 * message in that room would hide the message from all readers: the message then goes beside it.
 */
export class EntryPublisher {
  readonly #options: EntryPublisherOptions;

  constructor(options: EntryPublisherOptions) {
    this.#options = options;
  }

  /**
   * @param finalWith gives the block that became the last finalized one when the entry's block became final
   * @returns `undefined` for an entry that others find out by themselves
   * @throws {StreamError} `unusable`, `stateMissing`
   */
  async publish(entry: LogEntry, finalWith: () => Uint8Array): Promise<PublishedEntry | undefined> {
    const { port } = this.#options;
    const message = await messageOf(entry, this.#options, { maxBytes: port.maxBytes, finalWith });
    if (message?.kind === "block") return this.#publishBlock(message);
    if (message?.kind === "final") return this.#publishFinal(message);
    return undefined;
  }

  async #publishFinal({ hash, bytes }: EntryMessage & { readonly kind: "final" }): Promise<PublishedEntry> {
    const { names, emit } = this.#options;
    const subject = names.final(hash);
    const text = toHex(hash);
    const isFirst = await this.#put(subject, bytes, async (found) => readFinal(subject, found).hash === text);
    await this.#say(text, "final", text);
    emit({ type: "published", hash, kind: "final", isFirst });
    return { subject, isFirst };
  }

  async #publishBlock({ hash, verdict, message }: EntryMessage & { readonly kind: "block" }): Promise<PublishedEntry> {
    const { names, emit } = this.#options;
    const { content } = message.facts;
    // The parts come first: a message that is there is complete.
    let hasPartBeside = false;
    for (const [at, part] of message.parts.entries()) {
      const isSame = async (found: Uint8Array) => {
        hasPartBeside ||= !equalBytes(found, part);
        return !hasPartBeside;
      };
      await this.#put(names.part(content, at), part, isSame);
    }
    const subject = names.block(hash, verdict);
    const isSame = async (found: Uint8Array) => {
      const { facts, body } = readFacts(subject, found);
      const isOf = saysSame(facts, message.facts);
      if (isOf && facts.parts === 0) await readContent(subject, facts, body);
      return isOf && !hasPartBeside;
    };
    const isFirst = await this.#put(subject, message.bytes, isSame);
    await this.#say(toHex(hash), verdict, content);
    emit({ type: "published", hash, kind: "block", isFirst });
    await this.#compare(hash, verdict);
    return { subject, isFirst };
  }

  /** Emits an event when another publisher found something else about a block. */
  async #compare(hash: Uint8Array, verdict: BlockVerdict): Promise<void> {
    const { port, names, emit, publisher: own } = this.#options;
    const subject = names.block(hash, verdict === "valid" ? "invalid" : "valid");
    const found = await port.find(subject);
    const by = found && publisherIn(subject, found);
    if (by === undefined || by === own) return;
    const [valid, invalid] = verdict === "valid" ? [own, by] : [by, own];
    const alarm = { hash: toHex(hash), valid, invalid };
    const place = names.alarm(alarm.hash);
    await this.#put(place, alarmMessage(alarm), async (there) => readAlarm(place, there) instanceof StreamError);
    emit({ type: "differs", hash, own: verdict, by });
  }

  /**
   * Puts a message on its subject, or beside it where another message takes the subject.
   *
   * @param isSame may throw `messageWrong`, which means that it is not
   * @returns whether no other publisher had published it before
   */
  async #put(subject: string, bytes: Uint8Array, isSame: (found: Uint8Array) => Promise<boolean>): Promise<boolean> {
    const { port, names, publisher, emit } = this.#options;
    if (await port.publish(subject, bytes)) return true;
    const found = await port.find(subject);
    // It was too old for the stream just now.
    if (found === undefined) return port.publish(subject, bytes);
    const isThere = await isSame(found).catch((error: unknown) => {
      if (error instanceof StreamError && error.failure.code === "messageWrong") return false;
      throw error;
    });
    if (isThere) return false;
    const isFirst = await port.publish(names.beside(subject, publisher), bytes);
    if (isFirst) emit({ type: "occupied", subject });
    return isFirst;
  }

  /** Publishes this publisher's statement: the one message for all does not show which others agree. */
  async #say(hash: string, what: Statement, content: string): Promise<void> {
    const { port, names, publisher } = this.#options;
    await port.publish(names.said(hash, what, publisher), saidMessage({ content, publisher }));
  }
}

/** Whether two messages make the same statement, regardless of their publishers and of their parts. */
function saysSame(one: BlockMessageFacts, other: BlockMessageFacts): boolean {
  const names = ["network", "hash", "number", "verdict", "postStateHash", "base", "content"] as const;
  return names.every((name) => one[name] === other[name]) && dialectNameOf(one) === dialectNameOf(other);
}

/** The dialect of a message; messages of earlier versions have the earlier names. */
function dialectNameOf({ dialect = unmarkedDialect }: BlockMessageFacts): string {
  return findDialect(dialect)?.name ?? dialect;
}

/** The publisher of the message on a subject; `undefined` where that is no message about a block. */
function publisherIn(subject: string, bytes: Uint8Array): string | undefined {
  try {
    return readFacts(subject, bytes).facts.publisher;
  } catch (error) {
    if (error instanceof StreamError) return undefined;
    throw error;
  }
}

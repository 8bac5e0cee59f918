import { longestChunkBytes } from "../../snapshot/chunk/index.js";
import { type BlockMessageFacts, readContent, readFacts } from "../blockMessage.js";
import { type FinalFacts, readAlarm, readFinal } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { BlockVerdict, StreamNames, StreamSubject } from "../StreamNames.js";
import type { CheckedBlock } from "./checkBlock.js";
import type { ReplicaChain } from "./ReplicaChain.js";
import type { StreamSource } from "./StreamSource.js";

/** A message to read: it may come in its turn, or be looked for. */
export interface ReadableMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
}

/** The work that a message requires. */
export type MessageWork =
  /** Nothing: the message is invalid, or repeats the chain's facts about a block that is here already. */
  | { readonly kind: "none"; readonly hash?: string }
  | { readonly kind: "final"; readonly facts: FinalFacts }
  | { readonly kind: "block"; readonly checked: CheckedBlock; readonly instead?: StreamError }
  /** A block that has another verdict here. */
  | { readonly kind: "other"; readonly facts: BlockMessageFacts }
  /** Nothing that can be done, and nothing that the chain depends on: it is reported, and the next one is read. */
  | { readonly kind: "skipped"; readonly error: StreamError };

/** The parts for reading messages. */
export interface MessageReaderOptions {
  readonly network: string;
  readonly names: StreamNames;
  readonly source: StreamSource;
  readonly chain: ReplicaChain;
  /** Whether publishers have to agree to what a message brings. */
  readonly onlyAgreed: boolean;
}

type Named = StreamSubject & { readonly kind: "block" };

const none: MessageWork = { kind: "none" };
/** At most this many messages beside an unusable one are read. */
const maxBeside = 16;

/** Reads messages of a stream as far as can be without writing anything. */
export class ChainStreamReader {
  readonly #options: MessageReaderOptions;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads a message. Skips it if its content does not fit its subject, or if it is about an invalid block, which any key
   * can sign. Also skips it if it is of another network while the stream is of this chain. A block that later builds on
   * a skipped one is reported as missing it. If the message of a valid block is unusable, reads one that a publisher put
   * beside it.
   *
   * @param stream that it is of
   * @throws {StreamError} what is wrong with it, or `differs` for an alarm
   */
  async read(message: ReadableMessage, stream: string): Promise<MessageWork> {
    const named = this.#options.names.read(message.subject);
    try {
      return await this.#read(message, named);
    } catch (error) {
      if (!(error instanceof StreamError) || named === undefined) throw error;
      if (this.#canBeSkipped(named, message, error, stream)) return { kind: "skipped", error };
      if (named.kind !== "block" || named.verdict !== "valid") throw error;
      const checked = await this.#readBeside(named, message);
      if (checked === undefined) throw error;
      return { kind: "block", checked, instead: error };
    }
  }

  #canBeSkipped(named: StreamSubject, message: ReadableMessage, { failure }: StreamError, stream: string): boolean {
    switch (failure.code) {
      case "otherNetwork":
      case "otherDialect":
        return this.#options.chain.join.isJoined(stream);
      case "refused":
        return named.kind === "block" && named.verdict === "invalid";
      case "messageWrong":
        return named.kind !== "block" || named.verdict === "invalid" || !this.#isOfBlock(named, message);
      default:
        return false;
    }
  }

  /** Whether a message states its block; faults further on may come from the messages beside it. */
  #isOfBlock(named: Named, { subject, bytes }: ReadableMessage): boolean {
    try {
      this.#block(subject, bytes, named);
      return true;
    } catch {
      return false;
    }
  }

  async #readBeside(
    { hash, verdict }: Named,
    { subject: place, bytes: wrong }: ReadableMessage,
  ): Promise<CheckedBlock | undefined> {
    const { source, names, onlyAgreed } = this.#options;
    const agreed = onlyAgreed ? readFacts(place, wrong).facts.content : undefined;
    const subjects = await source.subjects(names.allBeside(names.block(hash, verdict)));
    for (const subject of subjects.slice(0, maxBeside)) {
      const checked = await this.#readUsable(subject);
      if (checked !== undefined && (agreed === undefined || checked.facts.content === agreed)) return checked;
    }
    return undefined;
  }

  /** @returns `undefined` unless the message of this subject brings a block that can be taken */
  async #readUsable(subject: string): Promise<CheckedBlock | undefined> {
    const { source, names } = this.#options;
    const bytes = await source.find(subject);
    const named = names.read(subject);
    if (bytes === undefined || named === undefined) return undefined;
    try {
      const work = await this.#read({ subject, bytes }, named);
      return work.kind === "block" ? work.checked : undefined;
    } catch (error) {
      if (!(error instanceof StreamError) || error.failure.code === "unusable") throw error;
      return undefined;
    }
  }

  async #read({ subject, bytes }: ReadableMessage, named: StreamSubject | undefined): Promise<MessageWork> {
    // Others may put what they like beside it, where the server lets them.
    if (named === undefined || named.kind === "part" || named.kind === "said") return none;
    if (named.kind === "alarm") throw readAlarm(subject, bytes);
    if (named.kind === "final") return this.#final(subject, bytes, named.hash);
    const { facts, body } = this.#block(subject, bytes, named);
    const known = this.#options.chain.verdictOf(named.hash);
    if (known === named.verdict) return { kind: "none", hash: named.hash };
    if (known !== undefined) return { kind: "other", facts };
    const content = await this.#content(subject, facts, body);
    return { kind: "block", checked: this.#options.chain.check(facts, content) };
  }

  #final(subject: string, bytes: Uint8Array, hash: string): MessageWork {
    const facts = readFinal(subject, bytes);
    if (hash !== facts.hash) throw new StreamError({ code: "messageWrong", subject, reason: "it is of another block" });
    // A block that becomes final with a later block does so at once, with that.
    if (facts.with !== facts.hash) return none;
    return this.#options.chain.isFinal(hash) ? { kind: "none", hash } : { kind: "final", facts };
  }

  #block(
    subject: string,
    bytes: Uint8Array,
    named: { readonly hash: string; readonly verdict: BlockVerdict },
  ): { readonly facts: BlockMessageFacts; readonly body: Uint8Array } {
    const read = readFacts(subject, bytes);
    const { facts } = read;
    if (facts.hash !== named.hash || facts.verdict !== named.verdict)
      throw new StreamError({ code: "messageWrong", subject, reason: "it is of another block or verdict" });
    const { network } = this.#options;
    if (facts.network !== network)
      throw new StreamError({ code: "otherNetwork", found: facts.network, expected: network });
    return read;
  }

  /** If parts cannot be right, the publisher has put its own beside them. */
  async #content(subject: string, facts: BlockMessageFacts, body: Uint8Array) {
    if (facts.parts === 0) return readContent(subject, facts, body);
    const { source, names } = this.#options;
    const part = (number: number) => names.part(facts.content, number);
    const read = async (find: (number: number) => Promise<Uint8Array | undefined>) =>
      readContent(subject, facts, await fetchBody(facts, find));
    try {
      return await read((number) => source.find(part(number)));
    } catch (error) {
      if (!(error instanceof StreamError) || error.failure.code === "unusable") throw error;
      const own = (number: number) => source.find(names.beside(part(number), facts.publisher));
      return read(async (number) => (await own(number)) ?? source.find(part(number))).catch(() => {
        throw error;
      });
    }
  }
}

/**
 * The body of a message that was too long for one, from its parts.
 *
 * @throws {StreamError} `gap`: one is not there; `refused`: they are longer than any message may be; `unusable`
 */
async function fetchBody(
  { hash, number, publisher: by, parts }: BlockMessageFacts,
  find: (number: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const found: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < parts; at += 1) {
    const part = await find(at);
    if (part === undefined)
      throw new StreamError({ code: "gap", hash, number, reason: `part ${at} of its message is not there` });
    found.push(part);
    length += part.length;
    if (length > longestChunkBytes)
      throw new StreamError({ code: "refused", hash, number, by, reason: "its message is longer than any may be" });
  }
  return new Uint8Array(Buffer.concat(found, length));
}

import { type BlockFacts, readContent, readFacts } from "../blockMessage.js";
import { type FinalFacts, readAlarm, readFinal } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { StreamNames, Verdict } from "../StreamNames.js";
import { fetchBody } from "./fetchBody.js";
import type { CheckedBlock, ReplicaChain } from "./ReplicaChain.js";
import type { StreamMessage, StreamSource } from "./StreamSource.js";

/** What a message asks for. */
export type Work =
  /** Nothing: it is nobody's, or is here already. */
  | { readonly kind: "none" }
  | { readonly kind: "final"; readonly facts: FinalFacts }
  | { readonly kind: "block"; readonly checked: CheckedBlock }
  /** A block that has another verdict here. */
  | { readonly kind: "other"; readonly facts: BlockFacts }
  /** Nothing that can be done, and nothing that the chain stands on: it is said, and the next one is read. */
  | { readonly kind: "skipped"; readonly error: StreamError };

/** What messages are read by. */
export interface MessageReaderOptions {
  readonly network: string;
  readonly names: StreamNames;
  readonly source: StreamSource;
  readonly chain: ReplicaChain;
}

const none: Work = { kind: "none" };

/** Reads messages of a stream as far as can be without writing anything. */
export class MessageReader {
  readonly #options: MessageReaderOptions;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
  }

  /**
   * What cannot be taken is passed over where the chain may do without: a message without a beginning, which says nothing
   * of any block, and whatever is said of an invalid block, as anybody can sign such. Where something builds on it after
   * all, that is told as what is missing.
   *
   * @throws {StreamError} what is wrong with it, or `differs` for an alarm
   */
  async read(message: StreamMessage): Promise<Work> {
    try {
      return await this.#read(message);
    } catch (error) {
      if (!(error instanceof StreamError) || !this.#canBeSkipped(message, error)) throw error;
      return { kind: "skipped", error };
    }
  }

  #canBeSkipped({ subject, bytes }: StreamMessage, { failure }: StreamError): boolean {
    const named = this.#options.names.read(subject);
    if (named?.kind !== "block" && named?.kind !== "final") return false;
    if (failure.code === "refused") return named.kind === "block" && named.verdict === "invalid";
    if (failure.code !== "messageWrong") return false;
    return (named.kind === "block" && named.verdict === "invalid") || !hasBeginning(named.kind, subject, bytes);
  }

  async #read(message: StreamMessage): Promise<Work> {
    const { subject, bytes } = message;
    const named = this.#options.names.read(subject);
    // Others may put what they like beside it, where the server lets them.
    if (named === undefined || named.kind === "part" || named.kind === "said") return none;
    if (named.kind === "alarm") throw readAlarm(subject, bytes);
    if (named.kind === "final") return this.#final(message, named.hash);
    const { facts, body } = this.#block(message, named);
    const known = this.#options.chain.verdictOf(named.hash);
    if (known === named.verdict) return none;
    if (known !== undefined) return { kind: "other", facts };
    const content = await readContent(subject, facts, facts.parts === 0 ? body : await this.#parts(facts));
    return { kind: "block", checked: this.#options.chain.check(facts, content) };
  }

  #final({ subject, bytes }: StreamMessage, hash: string): Work {
    const facts = readFinal(subject, bytes);
    if (hash !== facts.hash) throw new StreamError({ code: "messageWrong", subject, reason: "it is of another block" });
    // What becomes final with a later block does so at once, with that.
    return facts.with === facts.hash ? { kind: "final", facts } : none;
  }

  #block(
    { subject, bytes }: StreamMessage,
    named: { readonly hash: string; readonly verdict: Verdict },
  ): { readonly facts: BlockFacts; readonly body: Uint8Array } {
    const read = readFacts(subject, bytes);
    const { facts } = read;
    const { network } = this.#options;
    if (facts.network !== network)
      throw new StreamError({ code: "otherNetwork", found: facts.network, expected: network });
    if (facts.hash !== named.hash || facts.verdict !== named.verdict)
      throw new StreamError({ code: "messageWrong", subject, reason: "it is of another block or verdict" });
    return read;
  }

  #parts(facts: BlockFacts): Promise<Uint8Array> {
    const { source, names } = this.#options;
    return fetchBody(facts, (number) => source.find(names.part(facts.content, number)));
  }
}

/** Whether a message says of which block it is; what is wrong further on may be the fault of what lies beside it. */
function hasBeginning(kind: "block" | "final", subject: string, bytes: Uint8Array): boolean {
  try {
    if (kind === "final") readFinal(subject, bytes);
    else readFacts(subject, bytes);
    return true;
  } catch {
    return false;
  }
}

import { readFacts } from "../blockMessage.js";
import { readFinal } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { StreamNames } from "../StreamNames.js";
import type { ReadableMessage } from "./ChainStreamReader.js";
import { type Claim, Quorum, type QuorumResult, type QuorumRule } from "./Quorum.js";
import type { ReplicaChain } from "./ReplicaChain.js";
import type { StreamSource } from "./StreamSource.js";

/** The number of publishers that must agree, and the place of their statements. */
export interface AgreementOptions {
  /** `undefined`: one publisher's statement is enough. */
  readonly rule: QuorumRule | undefined;
  readonly names: StreamNames;
  readonly source: StreamSource;
  readonly chain: ReplicaChain;
  /** Receives an error if too few publishers agree for long. */
  readonly onTooFew: (error: StreamError) => void;
}

/** Whether publishers agree to what messages want believed. */
export class Agreements {
  readonly #options: AgreementOptions;
  readonly #quorum: Quorum | undefined;

  constructor(options: AgreementOptions) {
    this.#options = options;
    const { rule, names, source } = options;
    this.#quorum = rule === undefined ? undefined : new Quorum(rule, names, source);
  }

  /** Whether others may have to be waited for. */
  concern(message: ReadableMessage): boolean {
    return this.#quorum !== undefined && this.#claimOf(message) !== undefined;
  }

  /** Waits for it. @throws {StreamError} `differs`, `unusable` */
  async to(message: ReadableMessage, signal: AbortSignal): Promise<QuorumResult> {
    const claim = this.#quorum && this.#claimOf(message);
    if (claim === undefined) return "agreed";
    return this.#quorum!.agrees(claim, this.#options.onTooFew, signal);
  }

  /** Returns the new claim in a message. */
  #claimOf({ subject, bytes }: ReadableMessage): Claim | undefined {
    const { names, chain } = this.#options;
    const named = names.read(subject);
    try {
      if (named?.kind === "final" && !chain.isFinal(named.hash))
        return { hash: readFinal(subject, bytes).hash, what: "final", content: named.hash };
      if (named?.kind !== "block" || chain.verdictOf(named.hash) === named.verdict) return undefined;
      return { hash: named.hash, what: named.verdict, content: readFacts(subject, bytes).facts.content };
    } catch {
      // A message without a statement needs no agreement; it is skipped.
      return undefined;
    }
  }
}

/** Makes the error for a message if enough publishers state that its block has other content. */
export function outvoted({ subject }: ReadableMessage): StreamError {
  return new StreamError({ code: "messageWrong", subject, reason: "publishers agree to another content of it" });
}

import { setTimeout as sleep } from "node:timers/promises";
import { readFacts } from "../blockMessage.js";
import { alarmIn, readSaid } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { Statement, StreamNames } from "../StreamNames.js";
import type { StreamSource } from "./StreamSource.js";

/** The number of publishers that must agree on a block before it is taken. */
export interface QuorumRule {
  readonly needed: number;
  /** Publishers that count; default: all that the server lets publish. */
  readonly publishers?: readonly string[] | undefined;
  /** Milliseconds before too few statements are reported: publishers are not equally fast. */
  readonly patienceMs?: number;
}

/** A claim about a block. */
export interface Claim {
  readonly hash: string;
  readonly what: Statement;
  /** Hash of what the message of it brings; of a final block, its own hash. */
  readonly content: string;
}

/** The result of the vote. `outvoted`: enough publishers state other content of the block; `ended`: by the signal. */
export type QuorumResult = "agreed" | "outvoted" | "ended";

interface Voice {
  readonly by: string;
  /** `undefined` where it cannot be read. */
  readonly content: string | undefined;
}

/** Between two looks at first; twice as long each time. */
const firstLookMs = 5;
const longestLookMs = 500;
const usualPatienceMs = 2_000;
/** Maximum number of statements that are read where any publisher counts. */
const maxSpeakers = 64;

/**
 * Waits until enough publishers agree on a block. Each statement is a separate message behind the block's. Only those
 * of this one block are requested from the server, so that nothing is kept here at any distance between them.
 */
export class Quorum {
  readonly #rule: QuorumRule;
  readonly #names: StreamNames;
  readonly #source: Pick<StreamSource, "find" | "subjects">;

  constructor(rule: QuorumRule, names: StreamNames, source: Pick<StreamSource, "find" | "subjects">) {
    [this.#rule, this.#names, this.#source] = [rule, names, source];
  }

  /**
   * @param onTooFew called once, where it takes long
   * @throws {StreamError} `differs`: another one states the opposite; `unusable`
   */
  async agrees(claim: Claim, onTooFew: (error: StreamError) => void, signal: AbortSignal): Promise<QuorumResult> {
    /** By subject. */
    const voices = new Map<string, Voice>();
    const { needed, patienceMs = usualPatienceMs } = this.#rule;
    const beganMs = performance.now();
    let isReported = false;
    for (let lookMs = firstLookMs; !signal.aborted; lookMs = Math.min(longestLookMs, 2 * lookMs)) {
      await this.#listen(claim, voices);
      if (countOf(voices, claim.content) >= needed) return "agreed";
      if (await this.#isOutvoted(claim, voices)) return "outvoted";
      await this.#requireNoAlarm(claim);
      if (!isReported && performance.now() - beganMs >= patienceMs) {
        isReported = true;
        onTooFew(this.#tooFew(claim, [...voices.values()]));
      }
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    }
    return "ended";
  }

  /** Whether enough publishers state another content for the block, and a message with that content exists. */
  async #isOutvoted({ hash, what }: Claim, voices: ReadonlyMap<string, Voice>): Promise<boolean> {
    const said = new Set([...voices.values()].map(({ content }) => content));
    const { needed } = this.#rule;
    const agreed = [...said].filter((content) => content !== undefined && countOf(voices, content) >= needed);
    if (what === "final" || agreed.length === 0) return false;
    const subjects = await this.#source.subjects(this.#names.allBeside(this.#names.block(hash, what)));
    for (const subject of subjects.slice(0, maxSpeakers)) {
      const bytes = await this.#source.find(subject);
      if (bytes !== undefined && agreed.includes(contentBeside(subject, bytes))) return true;
    }
    return false;
  }

  async #listen({ hash, what, content }: Claim, voices: Map<string, Voice>): Promise<void> {
    const { publishers, needed } = this.#rule;
    const subjects =
      publishers?.map((publisher) => this.#names.said(hash, what, publisher)) ??
      (await this.#source.subjects(this.#names.allSaid(hash, what))).slice(0, maxSpeakers);
    for (const subject of new Set(subjects)) {
      if (countOf(voices, content) >= needed) return;
      if (voices.has(subject)) continue;
      const named = this.#names.read(subject);
      const bytes = named?.kind === "said" ? await this.#source.find(subject) : undefined;
      if (bytes === undefined || named?.kind !== "said") continue;
      voices.set(subject, { by: named.by, content: contentOf(subject, bytes) });
    }
  }

  /** Alarms are read in the stream's order, and this one may lie behind what is waited for. */
  async #requireNoAlarm({ hash }: Claim): Promise<void> {
    const subject = this.#names.alarm(hash);
    const bytes = await this.#source.find(subject);
    if (bytes === undefined) return;
    const alarm = alarmIn(subject, bytes);
    if (alarm !== undefined) throw alarm;
    for (const beside of await this.#source.subjects(this.#names.allBeside(subject))) {
      const found = await this.#source.find(beside);
      const other = found && alarmIn(beside, found);
      if (other !== undefined) throw other;
    }
  }

  #tooFew({ hash, what, content }: Claim, voices: readonly Voice[]): StreamError {
    const by = voices.filter((one) => one.content === content).map((one) => one.by);
    const others = voices.filter((one) => one.content !== content).map((one) => one.by);
    return new StreamError({ code: "tooFew", hash, what, by, others, needed: this.#rule.needed });
  }
}

function countOf(voices: ReadonlyMap<string, Voice>, content: string | undefined): number {
  return [...voices.values()].filter((voice) => voice.content === content).length;
}

function contentBeside(subject: string, bytes: Uint8Array): string | undefined {
  try {
    return readFacts(subject, bytes).facts.content;
  } catch {
    return undefined;
  }
}

/** An unreadable message is no statement about a block, and no reason to stop: others may agree. */
function contentOf(subject: string, bytes: Uint8Array): string | undefined {
  try {
    return readSaid(subject, bytes).content;
  } catch {
    return undefined;
  }
}

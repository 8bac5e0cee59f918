import { setTimeout as sleep } from "node:timers/promises";
import { readAlarm, readSaid } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { Statement, StreamNames } from "../StreamNames.js";
import type { StreamSource } from "./StreamSource.js";

/** How many must say the same of a block before it is taken. */
export interface QuorumRule {
  readonly needed: number;
  /** Who counts; everybody whom the server lets speak, without. */
  readonly publishers?: readonly string[] | undefined;
  /** So long nobody is told that too few say it: publishers are not equally fast. */
  readonly patienceMs?: number;
}

/** What is to be said of a block. */
export interface Claim {
  readonly hash: string;
  readonly what: Statement;
  /** Hash of what the message of it brings; of a final block, its own hash. */
  readonly content: string;
}

/** Between two looks at first; twice as long each time. */
const firstLookMs = 5;
const longestLookMs = 500;
const usualPatienceMs = 2_000;
/** Where anybody may speak, no more are listened to. */
const mostSpeakers = 64;

/**
 * Waits until so many publishers say the same of a block. What each says is a message of its own, which lies behind the
 * block's: the server is asked for those of this one block, so that nothing is kept here, however far they lie apart.
 */
export class Quorum {
  readonly #rule: QuorumRule;
  readonly #names: StreamNames;
  readonly #source: Pick<StreamSource, "find" | "subjects">;

  constructor(rule: QuorumRule, names: StreamNames, source: Pick<StreamSource, "find" | "subjects">) {
    [this.#rule, this.#names, this.#source] = [rule, names, source];
  }

  /**
   * @param onTooFew is told once, where it takes long
   * @returns whether enough say so; `false` after the signal
   * @throws {StreamError} `differs`: another says the opposite; `unusable`
   */
  async agrees(claim: Claim, onTooFew: (error: StreamError) => void, signal: AbortSignal): Promise<boolean> {
    /** By subject, whether it says the same. */
    const heard = new Map<string, { readonly by: string; readonly isSame: boolean }>();
    const { needed, patienceMs = usualPatienceMs } = this.#rule;
    const beganMs = performance.now();
    let isTold = false;
    for (let lookMs = firstLookMs; !signal.aborted; lookMs = Math.min(longestLookMs, 2 * lookMs)) {
      await this.#listen(claim, heard);
      const same = [...heard.values()].filter(({ isSame }) => isSame);
      if (same.length >= needed) return true;
      await this.#requireNoAlarm(claim);
      if (!isTold && performance.now() - beganMs >= patienceMs) {
        isTold = true;
        onTooFew(this.#tooFew(claim, [...heard.values()]));
      }
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  async #listen(
    { hash, what, content }: Claim,
    heard: Map<string, { readonly by: string; readonly isSame: boolean }>,
  ): Promise<void> {
    const { publishers, needed } = this.#rule;
    const subjects =
      publishers?.map((publisher) => this.#names.said(hash, what, publisher)) ??
      (await this.#source.subjects(this.#names.allSaid(hash, what))).slice(0, mostSpeakers);
    let same = [...heard.values()].filter(({ isSame }) => isSame).length;
    for (const subject of new Set(subjects)) {
      if (same >= needed) return;
      if (heard.has(subject)) continue;
      const named = this.#names.read(subject);
      const bytes = named?.kind === "said" ? await this.#source.find(subject) : undefined;
      if (bytes === undefined || named?.kind !== "said") continue;
      const isSame = contentOf(subject, bytes) === content;
      heard.set(subject, { by: named.by, isSame });
      if (isSame) same += 1;
    }
  }

  /** Alarms are read in the stream's order, and this one may lie behind what is waited for. */
  async #requireNoAlarm({ hash }: Claim): Promise<void> {
    const subject = this.#names.alarm(hash);
    const bytes = await this.#source.find(subject);
    if (bytes !== undefined) throw readAlarm(subject, bytes);
  }

  #tooFew({ hash, what }: Claim, heard: readonly { readonly by: string; readonly isSame: boolean }[]): StreamError {
    const by = heard.filter(({ isSame }) => isSame).map((one) => one.by);
    const others = heard.filter(({ isSame }) => !isSame).map((one) => one.by);
    return new StreamError({ code: "tooFew", hash, what, by, others, needed: this.#rule.needed });
  }
}

/** What cannot be read is no word for a block, and no reason to stop: others may say so. */
function contentOf(subject: string, bytes: Uint8Array): string | undefined {
  try {
    return readSaid(subject, bytes).content;
  } catch {
    return undefined;
  }
}

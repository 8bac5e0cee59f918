import { type ConditionCode, type ConditionView, conditions } from "@vedette/api";
import { type Line, linesOf } from "@vedette/config/log";

const { info, warn } = linesOf("node");

/** Something that is wrong now. */
export interface FoundCondition {
  readonly code: ConditionCode;
  /** In a sentence that begins in lower case and has no point. */
  readonly reason: string;
  /** Unix milliseconds of the beginning, where the finder has it; else the time when it was found. */
  readonly sinceMs?: number;
}

/** Conditions that pass by themselves at every start are reported when they last longer than this. */
const graceMs: Partial<Record<ConditionCode, number>> = { noPeers: 10_000, proposingWaits: 15_000, unjudged: 60_000 };

interface Held {
  readonly sinceMs: number;
  isReported: boolean;
}

/**
 * Remembers since when each condition holds, and logs when one begins and when it is over.
 *
 * @spec 50 §6.8
 */
export class Conditions {
  readonly #nowMs: () => number;
  readonly #say: (line: Line) => void;
  readonly #held = new Map<ConditionCode, Held>();

  /** @param nowMs Unix milliseconds, of a clock that is never set */
  constructor(nowMs: () => number, say: (line: Line) => void) {
    this.#nowMs = nowMs;
    this.#say = say;
  }

  /**
   * Takes the conditions that were found now; all others are over.
   *
   * @returns the conditions to report, in the same order
   */
  note(found: readonly FoundCondition[]): readonly ConditionView[] {
    const nowMs = this.#nowMs();
    const codes = new Set(found.map(({ code }) => code));
    for (const [code, { sinceMs, isReported }] of this.#held) {
      if (codes.has(code)) continue;
      this.#held.delete(code);
      if (isReported) this.#say(info(`${code} is over, after ${Math.ceil((nowMs - sinceMs) / 1_000)} s.`));
    }
    return found.flatMap((one) => this.#view(one, nowMs) ?? []);
  }

  #view({ code, reason, sinceMs = this.#nowMs() }: FoundCondition, nowMs: number): ConditionView | undefined {
    let held = this.#held.get(code);
    if (held === undefined) this.#held.set(code, (held = { sinceMs, isReported: false }));
    if (nowMs - held.sinceMs < (graceMs[code] ?? 0)) return undefined;
    if (!held.isReported) this.#say(warn(`${code}: ${reason}. ${conditions[code].advice}`));
    held.isReported = true;
    return { code, sinceMs: held.sinceMs, reason };
  }
}

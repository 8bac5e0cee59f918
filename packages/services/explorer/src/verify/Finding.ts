import type { Checkpoint } from "@vedette/light";

/** The block that a browser trusts, stored in it. */
export interface Trust {
  readonly checkpoint: Checkpoint;
  /** `firstUse`: the node named it when this browser first came here. */
  readonly origin: "firstUse" | "entered";
  /** Unix milliseconds. */
  readonly since: number;
  /** The newest block that this browser has verified. */
  readonly newest?: Checkpoint;
}

/** A claim of the node that evidence contradicts. */
export interface Lie {
  /** As the API names it. */
  readonly field: string;
  readonly reported: string;
  readonly shown: string;
  /** The evidence for it. */
  readonly evidence: string;
}

/**
 * The result of a check in this browser.
 *
 * - `verified`: all that is listed as checked follows from the trusted block.
 * - `content`: the content is that of the named block; that the block is final is the node's claim.
 * - `unclear`: nothing is shown, true or false.
 * - `wrong`: the node lies.
 */
export interface Finding {
  readonly state: "verified" | "content" | "unclear" | "wrong";
  readonly checked: readonly string[];
  /** The parts that were not checked, with the reason. */
  readonly left: readonly string[];
  readonly lies: readonly Lie[];
  readonly trust?: Trust;
}

/** Whether a block is final, or never will be, and what shows it. */
export interface Standing extends Omit<Finding, "state" | "trust"> {
  readonly isSettled: boolean;
}

/** A finding of what was seen: a lie decides, else whether a final block carries it. */
export function findingOf(facts: {
  readonly isFinal: boolean;
  readonly checked?: readonly string[];
  readonly left?: readonly string[];
  readonly lies?: readonly Lie[];
}): Finding {
  const { isFinal, checked = [], left = [], lies = [] } = facts;
  const state = lies.length > 0 ? "wrong" : isFinal ? "verified" : checked.length > 0 ? "content" : "unclear";
  return { state, checked, left, lies };
}

const maxShown = 160;

/** Members that differ by their texts, as lies with one piece of evidence. */
export function liesBetween(reported: Members, shown: Members, evidence: string): readonly Lie[] {
  return Object.keys(shown)
    .filter((field) => String(reported[field]) !== String(shown[field]))
    .map((field) => ({ field, reported: cut(String(reported[field])), shown: cut(String(shown[field])), evidence }));
}

/** By the names of the API; numbers of any kind, texts and truth values. */
type Members = Readonly<Record<string, unknown>>;

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

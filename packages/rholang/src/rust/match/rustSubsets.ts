import { TermLimitError } from "@vedette/terms";
import type { WorkMeter } from "../../match/WorkMeter.js";

/** Elements in order; a list that shares its end with others. */
type Chain<T> = { readonly head: T; readonly rest: Chain<T> } | undefined;

/** A choice among elements and what is not chosen, with the number that the rule goes by. */
interface Choice<T> {
  readonly chosen: Chain<T>;
  readonly others: Chain<T>;
  readonly count: number;
}

/** A choice of elements, and the others. */
export interface Subset<T> {
  readonly chosen: readonly T[];
  readonly others: readonly T[];
}

/** There are as many subsets as two to the power of their number; the reference has no limit but its memory. */
const mostSubsets = 1 << 20;

/**
 * The choices of `low` to `high` elements, in the order in which the reference tries them.
 *
 * Quirk 61 §6: where an element could be in one part or in the other it is in both, so that the parts are no split.
 *
 * @throws {TermLimitError} `tooManyParts`
 */
export function rustSubsets<T>(
  elements: readonly T[],
  low: number,
  high: number,
  meter: WorkMeter | undefined,
  most = mostSubsets,
): readonly Subset<T>[] {
  const bounded = (choices: readonly Choice<T>[]): readonly Choice<T>[] => {
    if (choices.length > most) throw new TermLimitError({ code: "tooManyParts", limit: most });
    meter?.tick(choices.length);
    return choices;
  };
  if (high < 0 || low > high) return [];
  if (high === 0) return [{ chosen: [], others: elements }];
  const first = Math.max(low, 0);
  if (first > elements.length) return [];
  let choices = counted(elements, first, high, bounded);
  for (let at = first - 1; at >= 0; at -= 1) {
    const least = first - at;
    const more: Choice<T>[] = [];
    for (const choice of choices) {
      if (choice.count === high) more.push(leaving(elements[at]!, choice));
      else if (choice.count === least - 1) more.push(choosing(elements[at]!, choice, least));
      else more.push(...both(elements[at]!, choice));
    }
    choices = bounded(more);
  }
  return choices.map(({ chosen, others }) => ({ chosen: arrayOf(chosen), others: arrayOf(others) }));
}

/** Choices among the elements from `from` on, of any number up to `high`, which is not 0. */
function counted<T>(
  elements: readonly T[],
  from: number,
  high: number,
  bounded: (choices: readonly Choice<T>[]) => readonly Choice<T>[],
): readonly Choice<T>[] {
  let choices: readonly Choice<T>[] = [{ chosen: undefined, others: undefined, count: 0 }];
  let all: Chain<T>;
  for (let at = elements.length - 1; at >= from; at -= 1) {
    const head = elements[at]!;
    all = { head, rest: all };
    const more: Choice<T>[] = [{ chosen: undefined, others: all, count: 0 }];
    for (const choice of choices) {
      if (choice.count === high) more.push(leaving(head, choice));
      else if (choice.chosen === undefined) more.push(choosing(head, choice, 1));
      else more.push(...both(head, choice));
    }
    choices = bounded(more);
  }
  return choices;
}

function leaving<T>(head: T, { chosen, others, count }: Choice<T>): Choice<T> {
  return { chosen, others: { head, rest: others }, count };
}

function choosing<T>(head: T, { chosen, others }: Choice<T>, count: number): Choice<T> {
  return { chosen: { head, rest: chosen }, others, count };
}

function both<T>(head: T, { chosen, others, count }: Choice<T>): readonly [Choice<T>, Choice<T>] {
  const parts = { chosen: { head, rest: chosen }, others: { head, rest: others } };
  return [
    { ...parts, count },
    { ...parts, count: count + 1 },
  ];
}

function arrayOf<T>(chain: Chain<T>): readonly T[] {
  const elements: T[] = [];
  for (let at = chain; at !== undefined; at = at.rest) elements.push(at.head);
  return elements;
}

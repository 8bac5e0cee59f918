import { TermLimitError } from "@vedette/terms";
import type { WorkMeter } from "../../match/WorkMeter.js";

/** A choice of elements, and the others. */
export interface Subset<T> {
  readonly chosen: readonly T[];
  readonly others: readonly T[];
}

/** Choices in their order, each made on demand: all of them together would be many times as large. */
export interface F1r3nodeSubsets<T> {
  readonly count: number;
  at(index: number): Subset<T>;
}

/** There are as many subsets as two to the power of their number; f1r3node has no limit but its memory. */
const maxSubsets = 1 << 20;

/**
 * The choices of `low` to `high` elements, in the order in which f1r3node tries them.
 *
 * Quirk 61 §6: where an element could be in one part or in the other it is in both, so that the parts are no split.
 *
 * @throws {TermLimitError} `tooManyParts`
 * @cost some twenty bytes of numbers for a choice
 */
export function f1r3nodeSubsets<T>(
  elements: readonly T[],
  low: number,
  high: number,
  meter: WorkMeter | undefined,
  most = maxSubsets,
): F1r3nodeSubsets<T> {
  if (high < 0 || low > high) return none;
  if (high === 0) return { count: 1, at: () => ({ chosen: [], others: elements }) };
  const first = Math.max(low, 0);
  if (first > elements.length) return none;
  const chains = new Chains();
  const growing = () => new Choices(chains, most, meter);
  let choices = counted(elements.length, { first, high, growing });
  for (let at = first - 1; at >= 0; at -= 1) {
    const least = first - at;
    const more = growing();
    for (let i = 0; i < choices.size; i += 1) {
      const count = choices.counts.at(i);
      if (count === high) more.leaving(at, choices, i);
      else if (count === least - 1) more.choosing(at, choices, i, least);
      else more.both(at, choices, i);
    }
    choices = more;
  }
  return madeWhenRequested(elements, choices);
}

const none: F1r3nodeSubsets<never> = {
  count: 0,
  at: () => {
    throw new RangeError("there is no choice");
  },
};

interface SubsetBounds {
  readonly first: number;
  readonly high: number;
  readonly growing: () => Choices;
}

/** Choices among the elements from `first` on, of any number up to `high`, which is not 0. */
function counted(size: number, { first, high, growing }: SubsetBounds): Choices {
  let choices = growing();
  choices.push(noChain, noChain, 0);
  let all = noChain;
  for (let at = size - 1; at >= first; at -= 1) {
    const more = growing();
    all = more.chains.add(at, all);
    more.push(noChain, all, 0);
    for (let i = 0; i < choices.size; i += 1) {
      if (choices.counts.at(i) === high) more.leaving(at, choices, i);
      else if (choices.chosen.at(i) === noChain) more.choosing(at, choices, i, 1);
      else more.both(at, choices, i);
    }
    choices = more;
  }
  return choices;
}

/** Makes each subset at the first request; a repeated request for the last one returns the same object. */
function madeWhenRequested<T>(elements: readonly T[], { size, chosen, others, chains }: Choices): F1r3nodeSubsets<T> {
  let last: { readonly index: number; readonly subset: Subset<T> } | undefined;
  return {
    count: size,
    at(index) {
      if (last?.index === index) return last.subset;
      const subset = {
        chosen: chains.taken(chosen.at(index), elements),
        others: chains.taken(others.at(index), elements),
      };
      last = { index, subset };
      return subset;
    },
  };
}

/** The chain without elements. */
const noChain = -1;

/** Places of elements in order, by a number for each chain; chains share their ends. */
class Chains {
  readonly #heads = new Numbers();
  readonly #rests = new Numbers();

  /** @returns the new chain */
  add(head: number, rest: number): number {
    this.#heads.push(head);
    this.#rests.push(rest);
    return this.#heads.length - 1;
  }

  taken<T>(chain: number, elements: readonly T[]): readonly T[] {
    const taken: T[] = [];
    for (let at = chain; at !== noChain; at = this.#rests.at(at)) taken.push(elements[this.#heads.at(at)]!);
    return taken;
  }
}

/** Choices between two looks at time and memory. */
const choicesPerTick = 4096;

/** Choices among elements with what is not chosen and the number that the rule goes by, until they are too many. */
class Choices {
  readonly chosen = new Numbers();
  readonly others = new Numbers();
  readonly counts = new Numbers();

  constructor(
    readonly chains: Chains,
    private readonly most: number,
    private readonly meter: WorkMeter | undefined,
  ) {}

  get size(): number {
    return this.counts.length;
  }

  push(chosen: number, others: number, count: number): void {
    this.chosen.push(chosen);
    this.others.push(others);
    this.counts.push(count);
    if (this.size > this.most) throw new TermLimitError({ code: "tooManyParts", limit: this.most });
    if (this.size % choicesPerTick === 0) this.meter?.tick(choicesPerTick);
  }

  leaving(element: number, from: Choices, at: number): void {
    this.push(from.chosen.at(at), this.chains.add(element, from.others.at(at)), from.counts.at(at));
  }

  choosing(element: number, from: Choices, at: number, count: number): void {
    this.push(this.chains.add(element, from.chosen.at(at)), from.others.at(at), count);
  }

  both(element: number, from: Choices, at: number): void {
    const chosen = this.chains.add(element, from.chosen.at(at));
    const others = this.chains.add(element, from.others.at(at));
    const count = from.counts.at(at);
    this.push(chosen, others, count);
    this.push(chosen, others, count + 1);
  }
}

/** Numbers one after the other, in memory that is none of the heap's. */
class Numbers {
  length = 0;
  #numbers = new Int32Array(16);

  at(index: number): number {
    return this.#numbers[index]!;
  }

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }
}

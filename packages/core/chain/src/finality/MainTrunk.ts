import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BondSet } from "../dag/BondSet.js";
import { firstPassing } from "./firstPassing.js";

/** A block of main chains. */
export interface MainChainLink {
  readonly block: BlockMetadata;
  /** The bonds that supply the stakes. @spec 40 §8.1 */
  readonly weights: BondSet;
  /** Verdict that a caller stored; `undefined` before that. */
  isFinal: boolean | undefined;
}

/**
 * One main chain, from its highest block down as far as heights descend and stakes stay the same. Validators that agree
 * on one of its blocks also agree on all below it, so all above the highest final block are not final, and all below are.
 */
export class MainTrunk {
  readonly #below: Iterator<MainChainLink>;
  readonly #links: MainChainLink[] = [];
  readonly #places = new Map<string, number>();
  #isComplete = false;
  /** Places above this one are not final; those from the other one on are. */
  #notFinal = -1;
  #final = Number.POSITIVE_INFINITY;

  /** @param links the main chain of the highest block, and that block first */
  constructor(links: Iterator<MainChainLink>) {
    this.#below = links;
  }

  /** Looks down to a height, or to the end; no further than a number of blocks. */
  extendTo(height: bigint, maxBlocks: number): void {
    while (!this.#isComplete && this.#links.length < maxBlocks) {
      const last = this.#links.at(-1);
      if (last !== undefined && last.block.number <= height) return;
      const next = this.#below.next();
      this.#isComplete = next.done === true || !continues(last, next.value);
      if (this.#isComplete) return;
      const link: MainChainLink = next.value;
      this.#places.set(link.block.key, this.#links.length);
      this.#links.push(link);
      if (this.#final < this.#links.length) link.isFinal = true;
    }
  }

  /** The place of a block; `undefined` where it is not on the part that was walked. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** The highest final block from one place down to another one, both included. */
  highestFinal(from: number, to: number, isFinal: (link: MainChainLink) => boolean): MainChainLink | undefined {
    const known = Math.min(to + 1, this.#final);
    const found = firstPassing(known, (place) => isFinal(this.#links[place]!), Math.max(from, this.#notFinal + 1));
    const first = Math.max(from, found);
    if (first > from) this.#noteNotFinal(first - 1);
    if (first > to) return undefined;
    this.#noteFinal(first);
    return this.#links[first];
  }

  /** Other chains go down to the same links. */
  #noteNotFinal(place: number): void {
    for (; this.#notFinal < place; this.#notFinal += 1) this.#links[this.#notFinal + 1]!.isFinal = false;
  }

  #noteFinal(place: number): void {
    const end = Math.min(this.#final, this.#links.length);
    for (let at = place; at < end; at += 1) this.#links[at]!.isFinal = true;
    this.#final = Math.min(this.#final, place);
  }
}

export function haveSameStakes(left: ReadonlyMap<string, bigint>, right: ReadonlyMap<string, bigint>): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [key, stake] of left) if (right.get(key) !== stake) return false;
  return true;
}

function continues(above: MainChainLink | undefined, { block, weights }: MainChainLink): boolean {
  if (above === undefined) return true;
  return block.number < above.block.number && haveSameStakes(weights.stakes, above.weights.stakes);
}

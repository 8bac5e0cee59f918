import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { validatorKeyOf } from "../dag/validatorKeys.js";
import type { VotingView } from "./VotingView.js";

/** Keys of validators in ascending order; a validator's place is its number. */
type Numbering = readonly string[];

/** The place of a block that is not among those that were walked. */
export const notWalked = 0xffff_fffe;
/** The place where one validator names no block of the other one. */
const unknown = 0xffff_ffff;
/** Walked blocks of a column that is out of date. */
const outdated = -1;

/** A validator's latest message, and what follows from it. */
class LatestBlock {
  readonly block: BlockMetadata;
  /** Own blocks before the latest one, the newest first; extended downwards on demand. */
  readonly own: BlockMetadata[] = [];
  /** By number of a validator: the key of the block of it before the one that this one names, or of that one. */
  readonly stoppers: readonly (string | undefined)[];
  /** Whether a block that is named here is missing from the DAG. It may arrive later. */
  isProvisional = false;
  /** Whether the last of the own blocks has none before it in the DAG. */
  #isComplete = false;
  readonly #places = new Map<string, number>();

  constructor(dag: VotingView, block: BlockMetadata, numbers: ReadonlyMap<string, number>) {
    this.block = block;
    const stoppers = new Array<string | undefined>(numbers.size).fill(undefined);
    for (const { validator, latestBlockHash } of block.justifications) {
      const named = dag.find(latestBlockHash);
      const key = validatorKeyOf(validator);
      const number = numbers.get(key);
      if (named === undefined) this.isProvisional = true;
      // Quirk 40 §9.2: by arrival, justifying the block that bonded a validator counts as knowing its votes.
      else if (number !== undefined && (!dag.judgesByEvidence || named.senderKey === key))
        stoppers[number] = stopperFrom(dag, named);
    }
    this.stoppers = stoppers;
  }

  ownBlock(dag: VotingView, index: number): BlockMetadata | undefined {
    while (!this.#isComplete && this.own.length <= index) this.#extend(dag);
    return this.own[index];
  }

  #extend(dag: VotingView): void {
    const before = (this.own.at(-1) ?? this.block).selfJustification;
    const block = before === undefined ? undefined : dag.find(before);
    if (before !== undefined && block === undefined) this.isProvisional = true;
    if (block === undefined || this.#places.has(block.key)) {
      this.#isComplete = true;
      return;
    }
    this.#places.set(block.key, this.own.length);
    this.own.push(block);
  }

  /** PERF: most know the latest message or the one before. */
  placeOf(stopper: string | undefined): number {
    if (stopper === undefined) return unknown;
    const { own } = this;
    if (own[0]?.key === stopper) return 0;
    return own[1]?.key === stopper ? 1 : (this.#places.get(stopper) ?? notWalked);
  }
}

/** The key of the own block before one, or of that one: the same text as the block's, where it is here. */
function stopperFrom(dag: VotingView, block: BlockMetadata): string {
  const before = block.selfJustification;
  return before === undefined ? block.key : (dag.find(before)?.key ?? hashKey(before));
}

/**
 * Compares how much of each other's messages the latest messages of validators knew.
 *
 * PERF: kept from one view of the DAG to the next, as only one latest message is new after a block: one row and one
 * column of all pairs change.
 *
 * @spec 40 §8.1
 */
export class LatestPairs {
  readonly numbers: ReadonlyMap<string, number>;
  readonly #numbering: Numbering;
  readonly #judgesByEvidence: boolean;
  readonly #latest: (LatestBlock | undefined)[];
  /** Views of a block and of this node take turns. */
  readonly #known = new WeakMap<BlockMetadata, LatestBlock>();
  /** By row and column, see {@link stops}. */
  readonly #stops: Uint32Array;
  /** By column: the own blocks that had been walked when it was computed. */
  readonly #walked: Int32Array;
  #view: VotingView | undefined;
  #taken: readonly BlockMetadata[] = [];

  constructor(numbering: Numbering, judgesByEvidence: boolean) {
    this.numbers = new Map(numbering.map((key, number) => [key, number]));
    this.#numbering = numbering;
    this.#judgesByEvidence = judgesByEvidence;
    this.#latest = new Array<undefined>(numbering.length).fill(undefined);
    this.#stops = new Uint32Array(numbering.length ** 2);
    this.#walked = new Int32Array(numbering.length).fill(outdated);
  }

  holds(numbering: Numbering, judgesByEvidence: boolean): boolean {
    const { length } = this.#numbering;
    if (length !== numbering.length || this.#judgesByEvidence !== judgesByEvidence) return false;
    return numbering.every((key, number) => key === this.#numbering[number]);
  }

  /** Takes over a view's latest messages, by number, unless this very list was taken last. */
  take(view: VotingView, latest: readonly BlockMetadata[]): this {
    if (this.#taken === latest) return this;
    const changed = new Map<number, LatestBlock>();
    for (const [number, block] of latest.entries()) {
      const known = this.#latest[number];
      if (known === undefined || known.block !== block || known.isProvisional)
        changed.set(number, this.#latestOf(block, view));
    }
    // Nothing fails from here on: a view that cannot be read leaves all as it was.
    this.#taken = latest;
    this.#view = view;
    for (const [number, block] of changed) {
      this.#latest[number] = block;
      this.#walked[number] = outdated;
    }
    for (const row of changed.keys())
      for (let column = 0; column < latest.length; column += 1)
        if (this.#walked[column] !== outdated) this.#place(row, column);
    return this;
  }

  #latestOf(block: BlockMetadata, view: VotingView): LatestBlock {
    const known = this.#known.get(block);
    if (known?.isProvisional === false) return known;
    const latest = new LatestBlock(view, block, this.numbers);
    this.#known.set(block, latest);
    return latest;
  }

  ownBlock(validator: number, index: number): BlockMetadata | undefined {
    return this.#latest[validator]!.ownBlock(this.#view!, index);
  }

  /**
   * For each validator a, by row, and b, by column: how far before b's latest message the walk through b's own blocks
   * stops for a: at the block before the one of b that a knew, or at that one when it has none before it.
   *
   * @returns above {@link notWalked} where a knew none
   */
  get stops(): Uint32Array {
    return this.#stops;
  }

  /** Makes a column right for all places up to one that was walked; for {@link notWalked} all own blocks were. */
  resolve(column: number, place: number): void {
    const walked = this.#walked[column]!;
    const { length } = this.#latest[column]!.own;
    if (walked > place || walked === length) return;
    this.#walked[column] = length;
    for (let row = 0; row < this.#numbering.length; row += 1) this.#place(row, column);
  }

  #place(row: number, column: number): void {
    const stopper = this.#latest[row]!.stoppers[column];
    this.#stops[row * this.#numbering.length + column] = this.#latest[column]!.placeOf(stopper);
  }
}

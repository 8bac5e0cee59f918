import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { validatorKeyOf } from "../dag/validatorKeys.js";
import type { VotingView } from "./VotingView.js";

/** A validator's own blocks before its latest message, the newest first; extended downwards on demand. */
interface OwnChain {
  readonly blocks: BlockMetadata[];
  readonly indexOf: Map<string, number>;
  /** Whether the last of them has none before it in the DAG. */
  isComplete: boolean;
}

/** A validator's vote. */
interface CountedVote {
  readonly latest: BlockMetadata;
  readonly ownChain: OwnChain;
  /** By number of the validator; see {@link Votes.stopsAt}. Computed at the first use. */
  stoppers: readonly (string | undefined)[] | undefined;
  stopsAt: Float64Array | undefined;
}

/** Keys of validators by their numbers. */
type Numbering = readonly string[];

/** The messages of a numbering's validators that a block knew. */
interface KnownVotes {
  readonly numbering: Numbering;
  readonly stoppers: readonly (string | undefined)[];
  /** The last results of {@link Votes.stopsAt}, and the latest messages of the others that they hold for. */
  readonly stopsAt: Float64Array;
  readonly against: (BlockMetadata | undefined)[];
}

/** PERF: latest messages are read again after each new block, and one of them is new then. */
const knownVotes = new WeakMap<BlockMetadata, KnownVotes>();
/** The last one that was made: most often all have the same. */
let lastNumbering: Numbering = [];

const unknown = -1;
/** Less the blocks that were walked. */
const notWalked = -2;

/**
 * The latest messages as votes: each validator's earlier messages, and what each knew of the others.
 *
 * Validators go by their numbers here. Made for one view of the DAG, which must not change meanwhile; serves any
 * number of targets.
 *
 * @spec 40 §8.1
 */
export class Votes {
  readonly dag: VotingView;
  private readonly votes: CountedVote[] = [];
  private readonly numbers = new Map<string, number>();
  readonly #numbering: Numbering;

  constructor(dag: VotingView) {
    this.dag = dag;
    const latest = new Map(dag.latestMessages().map(({ validator, hash }) => [validatorKeyOf(validator), hash]));
    // In one order, whatever order the messages come in, so that what blocks knew stays known.
    const numbering = [...latest.keys()].sort();
    for (const key of numbering) {
      const ownChain = { blocks: [], indexOf: new Map<string, number>(), isComplete: false };
      this.numbers.set(key, this.votes.length);
      this.votes.push({ latest: dag.require(latest.get(key)!), ownChain, stoppers: undefined, stopsAt: undefined });
    }
    const isSame = numbering.length === lastNumbering.length && numbering.every((key, at) => key === lastNumbering[at]);
    this.#numbering = isSame ? lastNumbering : (lastNumbering = numbering);
  }

  /** The number of a validator; `undefined` for one without a latest message. */
  numberOf(validatorKey: string): number | undefined {
    return this.numbers.get(validatorKey);
  }

  /** A validator's own block this far before its latest message (0 = the one right before), if there is one. */
  ownBlock(validator: number, index: number): BlockMetadata | undefined {
    const { latest, ownChain } = this.votes[validator]!;
    while (!ownChain.isComplete && ownChain.blocks.length <= index) extend(this.dag, latest, ownChain);
    return ownChain.blocks[index];
  }

  /**
   * How far before b's latest message the walk through b's own blocks stops for a: at the block before the one of b
   * that a knew, or at that one when it has none before it.
   *
   * @returns infinity when a knew none, or when that block is not among those that were walked
   */
  stopsAt(a: number, b: number): number {
    const stops = this.stopsOf(a);
    const { ownChain } = this.votes[b]!;
    const known = stops[b]!;
    // A block that was not walked then may have been walked since for a lower target.
    if (known >= 0 || known === notWalked - ownChain.blocks.length) return known < 0 ? Number.POSITIVE_INFINITY : known;
    const stopper = this.stopperOf(a, b);
    const found = stopper === undefined ? Number.POSITIVE_INFINITY : placeIn(ownChain, stopper);
    stops[b] = found ?? notWalked - ownChain.blocks.length;
    if (found !== undefined) this.#remember(a, b, found);
    return found ?? Number.POSITIVE_INFINITY;
  }

  /** The results of {@link stopsAt} so far for a, by the number of b; a negative one is not known. */
  stopsOf(a: number): Float64Array {
    return (this.votes[a]!.stopsAt ??= this.#knownStops(a));
  }

  #knownStops(a: number): Float64Array {
    const stops = new Float64Array(this.votes.length).fill(unknown);
    const known = this.#knownOf(a);
    if (known === undefined) return stops;
    for (let b = 0; b < stops.length; b += 1)
      if (known.against[b] === this.votes[b]!.latest) stops[b] = known.stopsAt[b]!;
    return stops;
  }

  #remember(a: number, b: number, stop: number): void {
    const known = this.#knownOf(a);
    if (known === undefined) return;
    known.against[b] = this.votes[b]!.latest;
    known.stopsAt[b] = stop;
  }

  #knownOf(a: number): KnownVotes | undefined {
    const known = knownVotes.get(this.votes[a]!.latest);
    return known?.numbering === this.#numbering ? known : undefined;
  }

  /** Whether a's latest message names a block of b. */
  knows(a: number, b: number): boolean {
    return this.stopperOf(a, b) !== undefined;
  }

  private stopperOf(a: number, b: number): string | undefined {
    const vote = this.votes[a]!;
    vote.stoppers ??= this.stoppersOf(vote.latest);
    return vote.stoppers[b];
  }

  private stoppersOf(latest: BlockMetadata): readonly (string | undefined)[] {
    const known = knownVotes.get(latest);
    if (known?.numbering === this.#numbering) return known.stoppers;
    const stoppers = new Array<string | undefined>(this.votes.length).fill(undefined);
    let isComplete = true;
    for (const { validator, latestBlockHash } of latest.justifications) {
      const block = this.dag.find(latestBlockHash);
      const key = validatorKeyOf(validator);
      const number = this.numbers.get(key);
      if (block === undefined) isComplete = false;
      // Quirk 40 §9.2: by arrival, justifying the block that bonded a validator counts as knowing its votes.
      else if (number !== undefined && (!this.dag.judgesByEvidence || block.senderKey === key))
        stoppers[number] = stopperFrom(this.dag, block);
    }
    // A block that is missing from the DAG now may arrive later.
    if (isComplete)
      knownVotes.set(latest, {
        ...{ numbering: this.#numbering, stoppers, stopsAt: new Float64Array(this.votes.length) },
        against: new Array<undefined>(this.votes.length).fill(undefined),
      });
    return stoppers;
  }
}

/** The key of the own block before one, or of that one: the same text as the block's, where it is here. */
function stopperFrom(dag: VotingView, block: BlockMetadata): string {
  const before = block.selfJustification;
  return before === undefined ? block.key : (dag.find(before)?.key ?? hashKey(before));
}

/** Most know the latest message or the one before. */
function placeIn({ blocks, indexOf }: OwnChain, stopper: string): number | undefined {
  if (blocks[0]?.key === stopper) return 0;
  return blocks[1]?.key === stopper ? 1 : indexOf.get(stopper);
}

function extend(dag: VotingView, latest: BlockMetadata, chain: OwnChain): void {
  const before = (chain.blocks.at(-1) ?? latest).selfJustification;
  const block = before === undefined ? undefined : dag.find(before);
  if (block === undefined || chain.indexOf.has(block.key)) {
    chain.isComplete = true;
    return;
  }
  chain.indexOf.set(block.key, chain.blocks.length);
  chain.blocks.push(block);
}

import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { validatorKeyOf } from "../dag/validatorKeys.js";
import type { VotingView } from "./VotingView.js";

/** A validator's own blocks before its latest message, the newest first; grows as far down as it is asked for. */
interface OwnChain {
  readonly blocks: BlockMetadata[];
  readonly indexOf: Map<string, number>;
  /** Whether the last of them has none before it in the DAG. */
  isComplete: boolean;
}

/** Who voted, and how. */
interface Vote {
  readonly latest: BlockMetadata;
  readonly ownChain: OwnChain;
  /** By number of the validator; see {@link Votes.stopsAt}. Made when first asked for. */
  stoppers: readonly (string | undefined)[] | undefined;
  stopsAt: Float64Array | undefined;
}

const unknown = -1;

/**
 * The latest messages as votes: what each validator said before, and what each knew of the others.
 *
 * Validators go by their numbers here. Made for one view of the DAG, which must not change meanwhile; serves any
 * number of targets.
 *
 * @spec 40 §8.1
 */
export class Votes {
  readonly dag: VotingView;
  private readonly votes: Vote[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(dag: VotingView) {
    this.dag = dag;
    for (const { validator, hash } of dag.latestMessages()) {
      const ownChain = { blocks: [], indexOf: new Map<string, number>(), isComplete: false };
      this.numbers.set(validatorKeyOf(validator), this.votes.length);
      this.votes.push({ latest: dag.require(hash), ownChain, stoppers: undefined, stopsAt: undefined });
    }
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
    const vote = this.votes[a]!;
    vote.stopsAt ??= new Float64Array(this.votes.length).fill(unknown);
    const known = vote.stopsAt[b]!;
    if (known !== unknown) return known;
    const stopper = this.stopperOf(a, b);
    const found = stopper === undefined ? undefined : this.votes[b]!.ownChain.indexOf.get(stopper);
    // What was not walked yet may be walked for a lower target.
    if (stopper === undefined || found !== undefined) vote.stopsAt[b] = found ?? Number.POSITIVE_INFINITY;
    return found ?? Number.POSITIVE_INFINITY;
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
    const stoppers = new Array<string | undefined>(this.votes.length).fill(undefined);
    for (const [validatorKey, stopper] of latest.cachedStoppers ?? findStoppers(this.dag, latest)) {
      const number = this.numbers.get(validatorKey);
      if (number !== undefined) stoppers[number] = stopper;
    }
    return stoppers;
  }
}

function findStoppers(dag: VotingView, latest: BlockMetadata): ReadonlyMap<string, string> {
  const stoppers = new Map<string, string>();
  let isComplete = true;
  for (const { validator, latestBlockHash } of latest.justifications) {
    const block = dag.find(latestBlockHash);
    const key = validatorKeyOf(validator);
    if (block === undefined) isComplete = false;
    // Quirk 40 §9.2: by arrival, who has only heard of the block that bonded somebody counts as knowing of its votes.
    else if (!dag.judgesByEvidence || block.senderKey === key)
      stoppers.set(key, hashKey(block.selfJustification ?? block.hash));
  }
  // What is not in the DAG now may be there later.
  if (isComplete) latest.cachedStoppers = stoppers;
  return stoppers;
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

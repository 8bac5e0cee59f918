import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { VotingView } from "./VotingView.js";

/** A validator's own blocks before its latest message, the newest first; grows as far down as it is asked for. */
interface OwnChain {
  readonly blocks: BlockMetadata[];
  readonly indexOf: Map<string, number>;
  /** Whether the last of them has none before it in the DAG. */
  isComplete: boolean;
}

/**
 * The latest messages as votes: what each validator said before, and what each knew of the others.
 *
 * Made for one view of the DAG, which must not change meanwhile; serves any number of targets.
 *
 * @spec 40 §8.1
 */
export class Votes {
  readonly dag: VotingView;
  private readonly latest = new Map<string, BlockMetadata | undefined>();
  private readonly ownChains = new Map<string, OwnChain>();
  private readonly knownOf = new Map<string, ReadonlyMap<string, string>>();

  constructor(dag: VotingView) {
    this.dag = dag;
  }

  /** A validator's latest message. */
  latestOf(validatorKey: string): BlockMetadata | undefined {
    if (!this.latest.has(validatorKey)) {
      const hash = this.dag.latestMessage(validatorKey);
      this.latest.set(validatorKey, hash === undefined ? undefined : this.dag.find(hash));
    }
    return this.latest.get(validatorKey);
  }

  /** A validator's own block this far before its latest message (0 = the one right before), if there is one. */
  ownBlock(validatorKey: string, index: number): BlockMetadata | undefined {
    const chain = this.ownChainOf(validatorKey);
    while (!chain.isComplete && chain.blocks.length <= index) this.extend(validatorKey, chain);
    return chain.blocks[index];
  }

  /** How far before its latest message a validator made the block; `undefined` while that was not walked. */
  ownIndex(validatorKey: string, blockKey: string): number | undefined {
    return this.ownChainOf(validatorKey).indexOf.get(blockKey);
  }

  /**
   * Where the walk through b's own blocks stops for a: the block before the one of b that a knew, or that one.
   *
   * @returns its key; `undefined` where a knew none
   */
  stopper(a: string, b: string): string | undefined {
    let known = this.knownOf.get(a);
    if (known === undefined) this.knownOf.set(a, (known = this.stoppersOf(a)));
    return known.get(b);
  }

  private stoppersOf(a: string): ReadonlyMap<string, string> {
    const latest = this.latestOf(a);
    if (latest === undefined) return new Map();
    if (latest.cachedStoppers !== undefined) return latest.cachedStoppers;
    const stoppers = new Map<string, string>();
    let isComplete = true;
    for (const { validator, latestBlockHash } of latest.justifications) {
      const block = this.dag.find(latestBlockHash);
      if (block === undefined) isComplete = false;
      else stoppers.set(hashKey(validator), hashKey(block.selfJustification ?? block.hash));
    }
    // What is not in the DAG now may be there later.
    if (isComplete) latest.cachedStoppers = stoppers;
    return stoppers;
  }

  private ownChainOf(validatorKey: string): OwnChain {
    let chain = this.ownChains.get(validatorKey);
    if (chain === undefined) {
      chain = { blocks: [], indexOf: new Map(), isComplete: false };
      this.ownChains.set(validatorKey, chain);
    }
    return chain;
  }

  private extend(validatorKey: string, chain: OwnChain): void {
    const last = chain.blocks.at(-1) ?? this.latestOf(validatorKey);
    const before = last?.selfJustification;
    const block = before === undefined ? undefined : this.dag.find(before);
    if (block === undefined || chain.indexOf.has(block.key)) {
      chain.isComplete = true;
      return;
    }
    chain.indexOf.set(block.key, chain.blocks.length);
    chain.blocks.push(block);
  }
}

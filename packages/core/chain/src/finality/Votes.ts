import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { validatorKeyOf } from "../dag/validatorKeys.js";
import { LatestPairs } from "./LatestPairs.js";
import type { VotingView } from "./VotingView.js";

/** The last used comes first. The view of a block and that of this node may have different validators. */
const lastPairs: LatestPairs[] = [];
const maxPairs = 2;

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
  /** By number of the validator. */
  readonly #latest: readonly BlockMetadata[];
  readonly #pairs: LatestPairs;

  constructor(dag: VotingView) {
    this.dag = dag;
    const latest = new Map(dag.latestMessages().map(({ validator, hash }) => [validatorKeyOf(validator), hash]));
    // In one order, whatever order the messages come in, so that what was computed for the view before can be kept.
    const numbering = [...latest.keys()].sort();
    this.#latest = numbering.map((key) => dag.require(latest.get(key)!));
    this.#pairs = pairsOf(numbering, dag.judgesByEvidence);
  }

  /** The number of a validator; `undefined` for one without a latest message. */
  numberOf(validatorKey: string): number | undefined {
    return this.#pairs.numbers.get(validatorKey);
  }

  /** A validator's own block this far before its latest message (0 = the one right before), if there is one. */
  ownBlock(validator: number, index: number): BlockMetadata | undefined {
    return this.pairs.ownBlock(validator, index);
  }

  /** Other votes may have used it meanwhile. */
  get pairs(): LatestPairs {
    return this.#pairs.take(this.dag, this.#latest);
  }
}

function pairsOf(numbering: readonly string[], judgesByEvidence: boolean): LatestPairs {
  const at = lastPairs.findIndex((pairs) => pairs.holds(numbering, judgesByEvidence));
  const [pairs = new LatestPairs(numbering, judgesByEvidence)] = at < 0 ? [] : lastPairs.splice(at, 1);
  lastPairs.unshift(pairs);
  lastPairs.length = Math.min(lastPairs.length, maxPairs);
  return pairs;
}

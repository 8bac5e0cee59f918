import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { Agreement } from "./agreement.js";
import { weightsOf } from "./faultTolerance.js";
import { hasHeavyClique } from "./heaviestClique.js";
import { MainChainLinks } from "./MainChainLinks.js";
import { Votes } from "./Votes.js";
import type { VotingView } from "./VotingView.js";

/**
 * Finality by the latest messages that a block names: what is final by them stays final at every node.
 *
 * Where no message is given twice, it depends on these messages alone, not on what else the DAG has.
 *
 * @spec 61 §13.1
 */
export class JustifiedFinality {
  /** For walks over the main chains of its blocks. */
  readonly mainChains: MainChainLinks;
  private readonly dag: Pick<DagView, "find" | "require">;
  private readonly votes: Votes;
  private readonly latest: ReadonlyMap<string, BlockMetadata>;
  private readonly needed: (total: bigint) => bigint;
  private readonly verdicts = new Map<string, boolean>();

  /**
   * @param justifications invalid blocks too; if a validator is listed twice the last one counts
   * @param needed the smallest clique that suffices, of all stakes together
   * @throws {ChainError} `blockMissing`
   */
  constructor(
    dag: Pick<DagView, "find" | "require">,
    justifications: readonly Justification[],
    needed: (total: bigint) => bigint,
  ) {
    const latest = new Map<string, LatestMessage>();
    for (const { validator, latestBlockHash: hash } of justifications)
      latest.set(hashKey(validator), { validator, hash });
    this.dag = dag;
    this.mainChains = new MainChainLinks(dag);
    this.needed = needed;
    this.votes = new Votes(snapshotOf(dag, latest));
    this.latest = new Map([...latest].map(([key, { hash }]) => [key, dag.require(hash)]));
  }

  /**
   * Whether enough validators support a block to make it final. Exact: no rounding decides.
   *
   * @throws {ChainError} `tooComplex`
   * @cost the blocks between the latest messages and this one
   */
  isFinal(block: BlockMetadata): boolean {
    let verdict = this.verdicts.get(block.key);
    if (verdict === undefined) this.verdicts.set(block.key, (verdict = this.judge(block)));
    return verdict;
  }

  private judge(block: BlockMetadata): boolean {
    const { stakes: weights, total } = weightsOf(this.dag, block);
    if (total <= 0n) return false;
    const agreement = new Agreement(this.votes, block);
    const validators: number[] = [];
    const stakes: bigint[] = [];
    let sum = 0n;
    for (const [key, latest] of this.latest) {
      const stake = weights.get(key);
      if (stake === undefined || !agreement.supports(latest)) continue;
      validators.push(this.votes.numberOf(key)!);
      stakes.push(stake);
      sum += stake;
    }
    if (2n * sum <= total) return false;
    const needed = this.needed(total);
    if (sum < needed) return false;
    return hasHeavyClique(stakes, agreement.connections(validators), needed);
  }
}

function snapshotOf(dag: Pick<DagView, "find" | "require">, latest: ReadonlyMap<string, LatestMessage>): VotingView {
  return {
    find: (hash, key) => dag.find(hash, key),
    require: (hash, key) => dag.require(hash, key),
    latestMessage: (key) => latest.get(key)?.hash,
    latestMessages: () => [...latest.values()],
    lastFinalized: () => undefined,
    judgesByEvidence: false,
    hasSlashingEvidence: () => false,
  };
}

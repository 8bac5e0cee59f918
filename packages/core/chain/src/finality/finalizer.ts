import { compareSignedBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { BondSet } from "../dag/BondSet.js";
import { Agreement } from "./agreement.js";
import type { FinalityRules } from "./FinalityRules.js";
import { isMajority, smallestClique } from "./faultTolerance.js";
import { hasHeavyClique } from "./heaviestClique.js";
import { Votes } from "./Votes.js";
import type { VotingView } from "./VotingView.js";

interface Step {
  readonly validatorKey: string;
  readonly block: BlockMetadata;
  /** What was found about the block right above, where the validator stands on one. */
  readonly above?: Candidate | undefined;
}

/**
 * Looks for a block above the last finalized one that is safe enough.
 *
 * Walks from the latest messages down their main chains, one step of all of them at a time, so that the highest
 * such block is met first.
 *
 * @param threshold fault tolerance that must be exceeded
 * @returns the block, unless none was found or it is finalized already
 * @throws {ChainError} `tooComplex`
 * @spec 40 §8.2
 * @cost validators times the heights between the latest messages and the last finalized block
 */
export function findFinalized(dag: VotingView, threshold: number): BlockMetadata | undefined {
  const height = dag.lastFinalized()?.number ?? -1n;
  const candidates = new Map<string, Candidate>();
  const search = { votes: new Votes(dag), limit: Math.fround(threshold), needed: new Map<bigint, bigint>() };
  for (let layer = firstLayer(dag); layer.length > 0; ) {
    const next: Step[] = [];
    for (const { validatorKey, block, above } of layer) {
      let candidate = candidates.get(block.key);
      if (candidate === undefined) candidates.set(block.key, (candidate = candidateOf(dag, block, above)));
      if (agrees(candidate, validatorKey) && isSafe(search, candidate)) return block.finalized ? undefined : block;
      const { parent } = candidate;
      if (parent !== undefined && parent.number > height) next.push({ validatorKey, block: parent, above: candidate });
    }
    layer = next;
  }
  return undefined;
}

/** rnode's rule. @spec 40 §8.2 */
export function cliqueFinality(threshold: number): FinalityRules {
  return { findFinalized: (dag) => findFinalized(dag, threshold) };
}

/** A block that some validators were found to agree on. */
interface Candidate {
  readonly block: BlockMetadata;
  /** The main parent, where the DAG has it. */
  readonly parent: BlockMetadata | undefined;
  readonly weights: BondSet;
  readonly agreeing: Map<string, bigint>;
  sum: bigint;
  above: Candidate | undefined;
  /** Made when it is first asked for. */
  agreement: Agreement | undefined;
}

function candidateOf(dag: VotingView, block: BlockMetadata, above: Candidate | undefined): Candidate {
  const parent = block.mainParent === undefined ? undefined : dag.find(block.mainParent);
  const weights = parent === undefined ? block.bonds : parent.bonds;
  return { block, parent, weights, agreeing: new Map(), sum: 0n, above, agreement: undefined };
}

/**
 * Adds a validator to those that agree.
 *
 * Quirk 40 §8.2: a block is tested again with each validator that agrees, not once with all of them.
 *
 * @returns whether it has a say
 */
function agrees(candidate: Candidate, validatorKey: string): boolean {
  const { agreeing, weights } = candidate;
  const stake = weights.stakes.get(validatorKey) ?? 0n;
  if (stake <= 0n) return false;
  if (!agreeing.has(validatorKey)) candidate.sum += stake;
  agreeing.set(validatorKey, stake);
  return true;
}

interface Search {
  readonly votes: Votes;
  readonly limit: number;
  /** The smallest clique that is enough, by total stake. */
  readonly needed: Map<bigint, bigint>;
}

/** Whether the fault tolerance of the validators that agree exceeds the limit. */
function isSafe(search: Search, candidate: Candidate): boolean {
  const { agreeing, sum } = candidate;
  const { total } = candidate.weights;
  if (!isMajority(sum, total)) return false;
  let needed = search.needed.get(total);
  if (needed === undefined) search.needed.set(total, (needed = smallestClique(total, search.limit)));
  // No clique is heavier than all that agree.
  if (sum < needed) return false;
  candidate.agreement ??= new Agreement(search.votes, candidate.block, candidate.above?.agreement);
  const { agreement } = candidate;
  const validators = [...agreeing.keys()].map((key) => search.votes.numberOf(key)!);
  const connected = (left: number, right: number): boolean =>
    agreement.areConnected(validators[left]!, validators[right]!);
  return hasHeavyClique([...agreeing.values()], connected, needed);
}

/**
 * Ours: the last word of who has no stake any more, once it is final, says nothing of what is above. In rnode it
 * ends the search in every round if that stake alone was enough, so that nothing more becomes final when the validator
 * with most of the stake has left.
 */
function firstLayer(dag: VotingView): Step[] {
  const layer = [...dag.latestMessages()]
    .sort((left, right) => compareSignedBytes(left.validator, right.validator))
    .map(({ validator, hash }) => ({ validatorKey: hashKey(validator), block: dag.require(hash) }))
    .filter(({ validatorKey }) => !dag.hasSlashingEvidence(validatorKey));
  const lastFinalized = dag.lastFinalized();
  if (lastFinalized === undefined) return layer;
  // The last final block may be the very last one in which that stake stands.
  const bondsNow = [lastFinalized, highestOpen(layer) ?? lastFinalized].map(({ bonds }) => bonds.stakes);
  const hasLeft = (key: string) => bondsNow.some((stakes) => (stakes.get(key) ?? 0n) <= 0n);
  return layer.filter(({ validatorKey, block }) => !(block.finalized && hasLeft(validatorKey)));
}

function highestOpen(layer: readonly Step[]): BlockMetadata | undefined {
  let highest: BlockMetadata | undefined;
  for (const { block } of layer)
    if (!block.finalized && !block.invalid && (highest === undefined || block.number > highest.number)) highest = block;
  return highest;
}

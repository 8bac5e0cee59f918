import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { weightsOf } from "../faultTolerance.js";
import { firstPassing } from "../firstPassing.js";
import type { JustifiedFinality } from "../JustifiedFinality.js";
import { haveSameStakes, type MainChainLink } from "../MainTrunk.js";

const maxSteps = 100_000;

/**
 * The highest final block on the main chain of a parent.
 *
 * Quirk 61 §13.2: where it is known what the parent's creator held for final, one looks upward from there, and stops
 * at the first block that is not final; without, one looks downward. The two differ where a block is final and one
 * below it is not.
 *
 * @param pivot the frontier that was found when the floor of the parent itself was derived
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @spec 61 §13.2
 * @cost the blocks between the parent and the pivot, or what is found
 */
export function frontierOf(
  dag: Pick<DagView, "find" | "require">,
  parent: BlockMetadata,
  witnesses: JustifiedFinality,
  pivot: BlockMetadata | undefined,
): BlockMetadata {
  const upward = pivot === undefined ? undefined : frontierAbove(dag, parent, witnesses, pivot);
  if (upward !== undefined) return upward;
  let at = parent;
  for (let steps = 0; !witnesses.isFinal(at); steps += 1) {
    if (at.mainParent === undefined) break;
    if (steps >= maxSteps) throw tooFar();
    at = dag.require(at.mainParent);
  }
  return at;
}

function frontierAbove(
  dag: Pick<DagView, "find" | "require">,
  parent: BlockMetadata,
  witnesses: JustifiedFinality,
  pivot: BlockMetadata,
): BlockMetadata | undefined {
  const trunk = witnesses.mainChains.trunkFor(parent);
  trunk.extendTo(pivot.number, maxSteps);
  const [from, to] = [trunk.placeOf(parent.key), trunk.placeOf(pivot.key)];
  if (from !== undefined && to !== undefined && from <= to)
    return trunk.highestFinal(from, to, ({ block }) => witnesses.isFinal(block))?.block;
  const committee = weightsOf(dag, pivot);
  const spine: MainChainLink[] = [];
  let [hasOneCommittee, isDescending] = [true, true];
  for (const link of witnesses.mainChains.from(parent, pivot.number)) {
    if (spine.length > maxSteps) throw tooFar();
    isDescending &&= spine.length === 0 || link.block.number < spine.at(-1)!.block.number;
    hasOneCommittee &&= haveSameStakes(link.weights.stakes, committee.stakes);
    spine.push(link);
  }
  if (spine.at(-1)!.block.key !== pivot.key || !hasOneCommittee) return undefined;
  const final = isDescending ? highestFinal(spine, witnesses) : firstFinal(spine, witnesses);
  return spine[final]?.block;
}

/**
 * Searches for the highest final block. Validators that agree on a block also agree on all blocks below it.
 *
 * @returns its index; the length where the lowest is not final
 */
function highestFinal(spine: readonly MainChainLink[], witnesses: JustifiedFinality): number {
  const isFinal = ({ isFinal: known, block }: MainChainLink) => known ?? witnesses.isFinal(block);
  let [from, known] = [0, spine.length];
  for (const [index, link] of spine.entries()) {
    if (link.isFinal === false) from = index + 1;
    if (link.isFinal === true && index < known) known = index;
  }
  const first = firstPassing(known, (index) => isFinal(spine[index]!), from);
  for (const [index, link] of spine.entries()) link.isFinal = index >= first;
  return first;
}

/** An invalid block may state any height, by which it would not be found above. */
function firstFinal(spine: readonly MainChainLink[], witnesses: JustifiedFinality): number {
  let final = spine.length;
  while (final > 0 && witnesses.isFinal(spine[final - 1]!.block)) final -= 1;
  return final;
}

function tooFar(): ChainError {
  return new ChainError({ code: "tooComplex", what: "Looking for a finalized block", limit: maxSteps });
}

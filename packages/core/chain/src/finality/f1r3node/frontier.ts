import { ChainError } from "../../ChainError.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { weightsOf } from "../faultTolerance.js";
import type { JustifiedFinality } from "../JustifiedFinality.js";

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
 * @cost the blocks between the pivot and what is found, or between the parent and that
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
  const spine = [parent];
  let lowest = parent;
  while (lowest.number > pivot.number && lowest.mainParent !== undefined) {
    if (spine.length > maxSteps) throw tooFar();
    lowest = dag.require(lowest.mainParent);
    spine.push(lowest);
  }
  if (lowest.key !== pivot.key) return undefined;
  const committee = weightsOf(dag, pivot);
  if (!spine.every((block) => haveSameStakes(weightsOf(dag, block).stakes, committee.stakes))) return undefined;
  if (!witnesses.isFinal(pivot)) return undefined;
  let highest = spine.pop()!;
  for (let above = spine.pop(); above !== undefined && witnesses.isFinal(above); above = spine.pop()) highest = above;
  return highest;
}

function haveSameStakes(left: ReadonlyMap<string, bigint>, right: ReadonlyMap<string, bigint>): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [key, stake] of left) if (right.get(key) !== stake) return false;
  return true;
}

function tooFar(): ChainError {
  return new ChainError({ code: "tooComplex", what: "Looking for a finalized block", limit: maxSteps });
}

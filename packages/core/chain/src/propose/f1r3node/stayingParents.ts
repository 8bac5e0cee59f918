import { compareBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ParentLimits } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { lowestSide } from "../../equivocation/lowestSide.js";
import type { Vote } from "../../forkChoice/f1r3node/TipRanking.js";
import { isNear, mainChainOf } from "./nearBlocks.js";

/** A validator's view of the network when it chooses parents. */
export interface StayingView {
  readonly dag: DagView;
  readonly rules: ParentLimits;
  /** The latest messages that are not invalid. */
  readonly votes: readonly Vote[];
  /** The validator's latest message. */
  readonly own: BlockMetadata | undefined;
}

/**
 * The parents that f1r3node would choose, or others if the main one leaves the own latest block's side of a fork, though
 * more than half of the stake supports this side: another node may have found this side final. Then the main parent is the
 * highest latest message of this side. Validators that made two blocks at once count for nothing.
 *
 * @param chosen as f1r3node chooses
 * @spec 61 §13.7, §15.5
 * @cost the main chains from the latest messages down to what is final
 */
export function stayingParents(chosen: readonly BlockMetadata[], view: StayingView): readonly BlockMetadata[] {
  const { dag, rules, votes, own } = view;
  const lowest = dag.lastFinalized()?.number;
  if (own === undefined || own.invalid || lowest === undefined) return chosen;
  const side = ownSide(own, chosen[0]!, dag, lowest);
  if (side === undefined) return chosen;
  const isOnSide = ({ block }: Vote) => mainChainOf(block, dag, side.number).at(-1)?.key === side.key;
  const supporters = votes.filter(isOnSide).filter(({ block }) => lowestSide(block, dag) === undefined);
  const { stakes, total } = dag.require(side.mainParent!).bonds;
  const stake = supporters.reduce((sum, { validator }) => sum + (stakes.get(hashKey(validator)) ?? 0n), 0n);
  if (2n * stake <= total) return chosen;
  const main = supporters
    .map(({ block }) => block)
    .sort((one, other) => Number(other.number - one.number) || compareBytes(one.hash, other.hash))[0]!;
  const rest = chosen.filter(({ key }) => key !== main.key);
  // f1r3node identifies merges by their parents, in any order: these are never those of another proposer (61 §13.7).
  const added = mainChainOf(main, dag, lowest).find(
    ({ key }) => key !== main.key && rest.every((one) => one.key !== key),
  );
  const hasRoom = rules.maximumParents < 0 || rest.length + 1 < rules.maximumParents;
  const parents = hasRoom && added !== undefined ? [main, ...rest, added] : [main, ...rest.slice(0, -1)];
  return parents.every((parent) => isNear(parent, parents, rules)) ? parents : chosen;
}

/** The lowest block on the own main chain that is not on the other one; `undefined` if the other one has them all. */
function ownSide(own: BlockMetadata, main: BlockMetadata, dag: DagView, lowest: bigint): BlockMetadata | undefined {
  const others = new Set(mainChainOf(main, dag, lowest).map(({ key }) => key));
  const apart = mainChainOf(own, dag, lowest).filter(({ key }) => !others.has(key));
  const side = apart.at(-1);
  // The two chains part below what is final.
  return side?.mainParent === undefined || !others.has(hashKey(side.mainParent)) ? undefined : side;
}

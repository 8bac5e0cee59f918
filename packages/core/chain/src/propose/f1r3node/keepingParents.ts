import { compareBytes } from "@vedette/crypto";
import { ChainError } from "../../ChainError.js";
import { deployLifespan, type ParentLimits } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { StateLineage } from "../../finality/f1r3node/StateLineage.js";
import { planMerge } from "../../merge/f1r3node/mergePlan.js";
import { type RepeatSources, recentDispositions } from "../../validation/f1r3node/repeatedDeploy.js";
import { isNear, mainChainOf } from "./nearBlocks.js";

/** The sources from which losses are found. */
export interface LossSources extends RepeatSources {
  readonly lineage: StateLineage;
}

/** The sources from which parents are chosen. */
export interface KeepingSources extends LossSources {
  readonly rules: ParentLimits;
}

/** Parents of a block, the main one first, and what is final for it. */
export interface FloorOnParents {
  readonly parents: readonly BlockMetadata[];
  readonly floor: BlockMetadata;
}

/**
 * The deploys that a block harms by the accident of 61 §12.3: to each, by the `hashKey` of its signature, a block that
 * has it.
 */
export interface HarmedDeploys {
  /** The main parent's state has their effects, the block's has not, and no record lets them come again. */
  readonly lost: ReadonlyMap<string, Uint8Array>;
  /** The floor's state has their effects, the main parent's has not, and another copy is merged on top. */
  readonly repeated: ReadonlyMap<string, Uint8Array>;
}

/** At most this many blocks are searched for one with a state that has all final effects. */
const mostNear = 1_000;

const none: HarmedDeploys = { lost: new Map(), repeated: new Map() };

/**
 * Finds the deploys that a block on these parents harms where the merge goes back to the floor: the main parent's state
 * decides whether a deploy is settled.
 *
 * @throws {ChainError} as `planMerge`
 * @spec 61 §12.3
 * @cost the state parents between the main parent and the floor; more if that state lacks final effects
 */
export function harmedDeploys({ dag, facts, lineage }: LossSources, { parents, floor }: FloorOnParents): HarmedDeploys {
  const main = parents[0]!;
  if (lineage.contains(main, floor)) return none;
  const plan = planMerge(dag, lineage, parents, floor);
  if (plan.kind === "parent") return none;
  const lowest = floor.number - deployLifespan;
  const [inFloor, inMain] = [floor, main].map((block) => lineage.effectsDownTo(block, lowest)) as [Keys, Keys];
  const repeated = plan.merged.flatMap(({ hash }) => {
    const { included, introduced } = facts.factsOf(hash);
    const isRepeated = (key: string) => introduced.has(key) && inFloor.has(key) && !inMain.has(key);
    return [...included].filter(isRepeated).map((key) => [key, hash] as const);
  });
  const missing = [...inMain].filter((key) => !inFloor.has(key));
  if (missing.length === 0) return { lost: none.lost, repeated: new Map(repeated) };
  const dispositions = recentDispositions(parents, { dag, facts });
  const lost = missing.flatMap((key) => {
    const { isRejected = false, record, carrier } = dispositions.get(key) ?? {};
    const isRetried = carrier === undefined || (isRejected && record !== undefined);
    return isRetried ? [] : [[key, carrier] as const];
  });
  return { lost: new Map(lost), repeated: new Map(repeated) };
}

type Keys = ReadonlySet<string>;

/**
 * The parents that f1r3node would choose, or, where a block on them would lose deploys or repeat them, others with which
 * it harms fewer.
 *
 * @param chosen   as f1r3node chooses
 * @param groundOn finds the base of a block on other parents
 * @throws {ChainError} as {@link harmedDeploys}
 * @spec 61 §13.7
 * @cost as {@link harmedDeploys} where the main parent's state has all that is final
 */
export function keepingParents<Ground extends FloorOnParents>(
  sources: KeepingSources,
  chosen: Ground,
  groundOn: (parents: readonly BlockMetadata[]) => Ground,
): Ground {
  const harmOn = (ground: Ground) => {
    const { lost, repeated } = harmedDeploys(sources, ground);
    return lost.size + repeated.size;
  };
  let best = { ground: chosen, harm: harmOn(chosen) };
  if (best.harm === 0) return chosen;
  for (const parents of otherParents(sources, chosen)) {
    try {
      const ground = groundOn(parents);
      const harm = harmOn(ground);
      if (harm < best.harm) best = { ground, harm };
    } catch (error) {
      // There is no floor on them, or no merge.
      if (!(error instanceof ChainError)) throw error;
    }
    if (best.harm === 0) break;
  }
  return best.ground;
}

/**
 * Lists other parents, the best first. The main one is a parent with a state that has all final effects, or a block below
 * the main one with that property. Else it is the floor, or the lowest block that may be a parent, which has least to
 * lose.
 *
 * f1r3node identifies merges by their parents, in any order. So these are never the parents that another proposer would
 * choose: they have one more, upon which nothing more is merged, or where there is no room, one less.
 */
function otherParents(
  { dag, lineage, rules }: KeepingSources,
  { parents: chosen, floor }: FloorOnParents,
): (readonly BlockMetadata[])[] {
  const [main, ...others] = chosen as [BlockMetadata, ...BlockMetadata[]];
  const hasRoom = rules.maximumParents < 0 || chosen.length < rules.maximumParents;
  const isNew = ({ key }: BlockMetadata) => chosen.every((parent) => parent.key !== key);
  const holds = (block: BlockMetadata) => lineage.contains(block, floor);
  const choices: (readonly BlockMetadata[])[] = [];
  const holder = others.find(holds);
  if (holder !== undefined) {
    const rest = chosen.filter((parent) => parent !== holder);
    const added = mainChainOf(holder, dag, floor.number).find(isNew);
    if (hasRoom && added !== undefined) choices.push([holder, ...rest, added]);
    if (!hasRoom && rest.length > 1) choices.push([holder, ...rest.slice(0, -1)]);
  }
  const rest = hasRoom ? chosen : chosen.slice(0, -1);
  const below = mainChainOf(main, dag, floor.number).filter((block) => isNew(block) && isNear(block, chosen, rules));
  const beside = () =>
    nearPast(chosen, { dag, lowest: floor.number, rules }).find((block) => isNew(block) && holds(block));
  for (const first of [below.find(holds) ?? beside(), floor, below.at(-1)])
    if (first !== undefined && isNew(first) && rest.length > 0) choices.push([first, ...rest]);
  return choices.filter((parents) => parents.every((parent) => isNear(parent, parents, rules)));
}

/** Returns the blocks below others that may be parents beside them, the highest first. */
function nearPast(
  blocks: readonly BlockMetadata[],
  { dag, lowest, rules }: { readonly dag: DagView; readonly lowest: bigint; readonly rules: KeepingSources["rules"] },
): readonly BlockMetadata[] {
  const near = new Map(blocks.map((block) => [block.key, block]));
  for (const { parents } of near.values())
    for (const hash of parents) {
      const parent = dag.require(hash);
      if (near.size < mostNear && parent.number >= lowest && isNear(parent, blocks, rules))
        near.set(parent.key, parent);
    }
  return [...near.values()].sort(
    (left, right) => Number(right.number - left.number) || compareBytes(left.hash, right.hash),
  );
}

import { type Block, hashKey } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import { deployLifespan } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidStatus } from "./BlockStatus.js";

/**
 * Check 5: no deploy is in the parents or in those of their ancestors that are recent enough.
 *
 * Quirk 40 §5.3: a deploy that occurs twice in the block itself is not noticed.
 *
 * @spec 40 §5.3
 * @cost one look-up for each deploy; the ancestors are walked only when a deploy was seen in some block before
 */
export function checkRepeatDeploy(
  block: Block,
  parents: readonly BlockMetadata[],
  dag: DagView,
): InvalidStatus | undefined {
  let recent: ReadonlySet<string> | undefined;
  for (const { deploy } of block.body.deploys) {
    const earlier = dag.blocksOfDeploy(deploy.signature);
    if (earlier.length === 0) continue;
    recent ??= recentAncestors(dag, parents);
    for (const hash of earlier) {
      if (recent.has(hashKey(hash))) return { status: "InvalidRepeatDeploy", deploy, earlierBlock: hash };
    }
  }
  return undefined;
}

/** More blocks than hundreds of validators make in the life span; an invalid parent may state any height. */
const maxRecent = 20_000;

/**
 * The parents, whatever their height, and from them on all blocks of the deploys' life span.
 *
 * @spec 40 §5.3 (check 5), §9.3
 * @throws {ChainError} `tooComplex`
 */
export function recentAncestors(dag: DagView, parents: readonly BlockMetadata[]): ReadonlySet<string> {
  let highest = -1n;
  for (const parent of parents) if (parent.number > highest) highest = parent.number;
  const earliest = highest + 1n - deployLifespan;
  const seen = new Set<string>(parents.map(({ key }) => key));
  const waiting = [...parents];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const hash of next.parents) {
      const parent = dag.find(hash);
      if (parent === undefined || parent.number < earliest || seen.has(parent.key)) continue;
      seen.add(parent.key);
      waiting.push(parent);
    }
    if (seen.size > maxRecent)
      throw new ChainError({ code: "tooComplex", what: "Looking for a repeated deploy", limit: maxRecent });
  }
  return seen;
}

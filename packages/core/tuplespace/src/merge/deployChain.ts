import { toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import type { StateView } from "../history/StateView.js";
import { depends } from "./conflicts.js";
import { combineIndices, type EventIndex, eventIndex, type NumberDifferences } from "./eventIndex.js";
import { channelsChanged, type StateChange, stateChange } from "./stateChange.js";

/** A deploy of a block as merging sees it. @spec 30 §A.3 */
export interface MergeDeploy {
  /** Signature of a user deploy; for a system deploy {@link systemDeployId}. */
  readonly id: Uint8Array;
  readonly cost: bigint;
  readonly log: readonly Event[];
  readonly numberChannels: NumberDifferences;
}

/** Deploys of one block that are kept or rejected together. @spec 30 §A.3 */
export interface DeployChain {
  readonly deploys: readonly { readonly id: Uint8Array; readonly cost: bigint }[];
  readonly index: EventIndex;
  readonly change: StateChange;
  /** Chains are put in order by it; those of one block count as equal there. */
  readonly postState: Uint8Array;
}

const systemDeployKinds = { slash: 1, closeBlock: 2, empty: 3 } as const;
const systemIdBytes = 33;

/** The id of a system deploy: the block's hash and a byte. @spec 30 §A.3 */
export function systemDeployId(blockHash: Uint8Array, kind: keyof typeof systemDeployKinds): Uint8Array {
  const id = new Uint8Array(blockHash.length + 1);
  id.set(blockHash);
  id[blockHash.length] = systemDeployKinds[kind];
  return id;
}

/** Quirk 30 §A.5: recognized by its length and last byte alone. */
export function isSystemDeployId(id: Uint8Array): boolean {
  const last = id[systemIdBytes - 1];
  return id.length === systemIdBytes && last !== undefined && last >= 1 && last <= 3;
}

/**
 * Splits a block's deploys into chains that do not depend on each other.
 *
 * @param deploys user deploys that did not fail and system deploys that succeeded, in the block's order
 * @param byEvidence deploys that change one channel are in one chain, so that no two chains have one change
 * @spec 30 §A.3; 40 §16.7 by evidence
 * @throws {MergeError} `emptyChange`, `joinMissing`
 * @cost grows with the square of the number of deploys
 */
export function deployChains(
  deploys: readonly MergeDeploy[],
  preState: StateView,
  postState: StateView,
  byEvidence = false,
): DeployChain[] {
  const entries = deploys.map((deploy) => ({
    deploy,
    index: eventIndex(deploy.log, preState, deploy.numberChannels),
  }));
  const changed = byEvidence ? new Map(entries.map(({ index }) => [index, channelsChanged(index)])) : undefined;
  const related = relatedClasses(
    entries,
    ({ index: left }, { index: right }) =>
      depends(left, right) ||
      depends(right, left) ||
      (changed !== undefined && meet(changed.get(left)!, changed.get(right)!)),
  );
  return related.map((members) => {
    const index = members.map((member) => member.index).reduce(combineIndices);
    return {
      deploys: members.map(({ deploy: { id, cost } }) => ({ id, cost })),
      index,
      change: stateChange(index, preState, postState),
      postState: postState.root,
    };
  });
}

/** Whether two sets have a member in common. */
export function meet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  for (const key of left) if (right.has(key)) return true;
  return false;
}

/** Classes of the symmetric, transitive closure of a relation, in the order of their first members. @spec 30 §A.3 */
export function relatedClasses<Item>(
  items: readonly Item[],
  isRelated: (left: Item, right: Item) => boolean,
): Item[][] {
  const classOf = items.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (classOf[root] !== root) root = classOf[root]!;
    classOf[index] = root;
    return root;
  };
  for (let i = 0; i < items.length; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const [one, other] = [find(i), find(j)];
      if (one !== other && isRelated(items[i]!, items[j]!)) classOf[Math.max(one, other)] = Math.min(one, other);
    }
  }
  const classes = new Map<number, Item[]>();
  items.forEach((item, index) => {
    const root = find(index);
    const members = classes.get(root);
    if (members === undefined) classes.set(root, [item]);
    else members.push(item);
  });
  return [...classes.values()];
}

/** The ids of a chain's user deploys, as hex. */
export function userDeployIds(chain: DeployChain): string[] {
  return chain.deploys.filter(({ id }) => !isSystemDeployId(id)).map(({ id }) => toHex(id));
}

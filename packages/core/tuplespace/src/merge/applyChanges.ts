import { equalBytes, toHex } from "@vedette/crypto";
import type { StateStore } from "../history/StateStore.js";
import { StateView } from "../history/StateView.js";
import { type HistoryAction, updateTree } from "../history/updateTree.js";
import { continuationsKey, dataKey, joinsKey } from "../leaf/historyKey.js";
import { Join } from "../leaf/Join.js";
import { type EncodedLeaf, leafOfEncodings } from "../leaf/Leaf.js";
import type { LeafKind } from "../leaf/LeafError.js";
import type { DeployChain } from "./deployChain.js";
import { addDifferences, type NumberDifferences } from "./eventIndex.js";
import { MergeError } from "./MergeError.js";
import { mergedNumber, numberInState } from "./numberChannels.js";
import {
  combineChanges,
  emptyStateChange,
  type KeyChange,
  multisetMinus,
  netChange,
  type StateChange,
} from "./stateChange.js";

/**
 * Applies merged chains to the base state and records the root that comes out.
 *
 * @param chains in their order
 * @param byEvidence items that one chain adds and another one takes are in no state
 * @returns the root of the merged state
 * @spec 30 §A.9 step 7, §A.10; 40 §16.7 by evidence
 * @throws {MergeError} `emptyAction`, `numberChannel`
 */
export function applyChanges(
  store: StateStore,
  baseRoot: Uint8Array,
  chains: readonly DeployChain[],
  byEvidence = false,
): Uint8Array {
  const whole = chains.map((chain) => chain.change).reduce(combineChanges, emptyStateChange);
  const numbers = chains
    .map((chain) => chain.index.numberChannels)
    .reduce<NumberDifferences>(addDifferences, new Map());
  const change = byEvidence ? netChange(whole, numbers) : whole;
  const merge = new Merge(new StateView(store, baseRoot));
  merge.changeContinuations(change);
  merge.changeData(change, numbers);
  merge.changeJoins();
  const { root, newNodes } = updateTree(store, baseRoot, merge.actions);
  store.commit({ root, newNodes, newLeaves: merge.leaves });
  return root;
}

/** The change of the joins of one channel. */
interface JoinChange {
  readonly hash: Uint8Array;
  readonly added: Uint8Array[];
  readonly removed: Uint8Array[];
}

class Merge {
  readonly actions: HistoryAction[] = [];
  readonly leaves: EncodedLeaf[] = [];
  private readonly joins = new Map<string, JoinChange>();

  constructor(private readonly base: StateView) {}

  changeContinuations(change: StateChange): void {
    for (const [key, keyChange] of sortedByHash(change.continuations)) {
      const { hash } = keyChange;
      const { old, now } = applyTo(encodings(this.base.continuations(hash)), keyChange);
      if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "consume" });
      this.set("continuations", continuationsKey(hash), now);
      const join = change.joins.get(key);
      if (join === undefined) throw new MergeError({ code: "joinMissing", channelsHash: hash });
      if (now.length === 0) this.collectJoin(join, "removed");
      else if (old.length === 0) this.collectJoin(join, "added");
    }
  }

  changeData(change: StateChange, numbers: NumberDifferences): void {
    for (const [key, keyChange] of sortedByHash(change.data)) {
      const { hash, added } = keyChange;
      const difference = numbers.get(key);
      if (difference !== undefined) {
        const value = BigInt.asIntN(64, numberInState(this.base, key) + difference);
        this.set("data", dataKey(hash), [mergedNumber(hash, value, added)]);
        continue;
      }
      const { old, now } = applyTo(encodings(this.base.data(hash)), keyChange);
      if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "produce or join" });
      this.set("data", dataKey(hash), now);
    }
  }

  changeJoins(): void {
    for (const [, joinChange] of sortedByHash(this.joins)) {
      const { old, now } = applyTo(encodings(this.base.joins(joinChange.hash)), joinChange);
      if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "produce or join" });
      this.set("joins", joinsKey(joinChange.hash), now);
    }
  }

  private collectJoin(encoding: Uint8Array, where: "added" | "removed"): void {
    for (const hash of Join.decode(encoding).channelHashes) {
      const key = toHex(hash);
      let joinChange = this.joins.get(key);
      if (joinChange === undefined) this.joins.set(key, (joinChange = { hash, added: [], removed: [] }));
      joinChange[where].push(encoding);
    }
  }

  private set(kind: LeafKind, key: Uint8Array, items: readonly Uint8Array[]): void {
    if (items.length === 0) {
      this.actions.push({ key, value: undefined });
      return;
    }
    const made = leafOfEncodings(kind, items);
    this.leaves.push(made);
    this.actions.push({ key, value: made.leaf.hash });
  }
}

function applyTo(
  old: readonly Uint8Array[],
  { added, removed }: Omit<KeyChange, "hash">,
): { readonly old: readonly Uint8Array[]; readonly now: readonly Uint8Array[] } {
  return { old, now: [...multisetMinus(old, removed), ...added] };
}

function encodings(items: readonly { readonly encoding: Uint8Array }[]): Uint8Array[] {
  return items.map(({ encoding }) => encoding);
}

/** In this order too: the same items in another order count as a change, which then leads to the same leaf. */
function sameItems(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return left.length === right.length && left.every((item, index) => equalBytes(item, right[index]!));
}

function sortedByHash<Item extends { readonly hash: Uint8Array }>(map: ReadonlyMap<string, Item>): [string, Item][] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}

import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { encodeBincodeLeaf } from "../../bincode/bincodeLeaf.js";
import type { StateStore } from "../../history/StateStore.js";
import { type HistoryAction, updateTree } from "../../history/updateTree.js";
import { continuationsKey, dataKey, joinsKey } from "../../leaf/historyKey.js";
import type { LeafKind } from "../../leaf/LeafError.js";
import { MergeError } from "../MergeError.js";
import { emptyStateChange, type KeyChange, multisetMinus, type StateChange } from "../stateChange.js";
import { joinHashes, StoredItems } from "./ItemState.js";
import { combineItemChanges } from "./itemChange.js";
import type { MergeChain } from "./MergeChain.js";
import { changedNumber, combineNumbers, type NumberChange, type NumberChanges } from "./numberChanges.js";
import { numberIn, numberItem, numberOfItem } from "./numberItem.js";

/**
 * Applies kept chains to the base state and records the root that comes out.
 *
 * @param chains branch by branch, in their order
 * @returns the root of the merged state
 * @spec 61 §12.7
 * @throws {MergeError} `removedAbsent`, `emptyAction`, `joinMissing`, `numberChannel`
 */
export function applyItems(store: StateStore, baseRoot: Uint8Array, chains: readonly MergeChain[]): Uint8Array {
  const change = chains.map((chain) => chain.change).reduce(combineItemChanges, emptyStateChange);
  const numbers = chains.map((chain) => chain.numbers).reduce<NumberChanges>(combineNumbers, new Map());
  const application = new Application(new StoredItems(store, baseRoot), sharedCells(chains));
  application.changeContinuations(change);
  application.changeData(change, numbers);
  application.changeJoins();
  const { root, newNodes } = updateTree(store, baseRoot, application.actions);
  const nodes = newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes }));
  store.putItems(nodes, application.leaves);
  store.recordRoot(root);
  return root;
}

/** Channels to which more than one chain adds data. */
function sharedCells(chains: readonly MergeChain[]): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const { change } of chains)
    for (const [key, { added }] of change.data) if (added.length > 0) (once.has(key) ? shared : once).add(key);
  return shared;
}

class Application {
  readonly actions: HistoryAction[] = [];
  readonly leaves: { readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
  private readonly joins = new Map<string, { readonly added: Uint8Array[]; readonly removed: Uint8Array[] }>();
  private readonly base: StoredItems;
  private readonly shared: ReadonlySet<string>;

  constructor(base: StoredItems, shared: ReadonlySet<string>) {
    this.base = base;
    this.shared = shared;
  }

  changeContinuations(change: StateChange): void {
    for (const [key, { hash, added, removed }] of change.continuations) {
      if (added.length === 0 && removed.length === 0) continue;
      const old = this.base.continuations(hash);
      const now = [...multisetMinus(old, removed), ...added];
      if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "consume" });
      this.set("continuations", continuationsKey(hash), now);
      if (old.length > 0 && now.length > 0) continue;
      const join = change.joins.get(key);
      if (join === undefined) throw new MergeError({ code: "joinMissing", channelsHash: hash });
      this.collectJoin(join, old.length === 0 ? "added" : "removed");
    }
  }

  changeData(change: StateChange, numbers: NumberChanges): void {
    for (const [key, keyChange] of change.data) {
      const number = numbers.get(key);
      if (number === undefined) this.changeCell(key, keyChange);
      else this.changeNumber(keyChange, number);
    }
  }

  changeJoins(): void {
    for (const [key, { added, removed }] of this.joins) {
      const hash = fromHex(key);
      const old = this.base.joins(hash).map(({ encoding }) => encoding);
      requireThere("join", hash, old, removed);
      const now = [...multisetMinus(old, removed), ...added];
      if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "produce or join" });
      this.set("joins", joinsKey(hash), now);
    }
  }

  private changeNumber({ hash, added }: KeyChange, number: NumberChange): void {
    const value = changedNumber(numberIn(this.base, hash), number);
    if (value === undefined) {
      const detail = `channel ${toHex(hash)} would be negative or too large`;
      throw new MergeError({ code: "numberChannel", detail });
    }
    this.set("data", dataKey(hash), [numberItem(hash, value, added)]);
  }

  private changeCell(key: string, { hash, added, removed }: KeyChange): void {
    if (added.length === 0 && removed.length === 0) return;
    const old = this.base.data(hash);
    requireThere("datum", hash, old, removed);
    const kept = multisetMinus(old, removed);
    const isCell =
      old.length === 0 ? this.shared.has(key) && added.every(isNumber) : old.length === 1 && isNumber(old[0]!);
    if (isCell && added.length > 0 && kept.length + added.length > 1) {
      const detail = `channel ${key} holds one number and would hold ${kept.length + added.length}`;
      throw new MergeError({ code: "numberChannel", detail });
    }
    const now = [...kept, ...added];
    if (sameItems(old, now)) throw new MergeError({ code: "emptyAction", of: "produce or join" });
    this.set("data", dataKey(hash), now);
  }

  private collectJoin(encoding: Uint8Array, where: "added" | "removed"): void {
    for (const hash of joinHashes(encoding)) {
      const key = toHex(hash);
      let joinChange = this.joins.get(key);
      if (joinChange === undefined) this.joins.set(key, (joinChange = { added: [], removed: [] }));
      joinChange[where].push(encoding);
    }
  }

  private set(kind: LeafKind, key: Uint8Array, items: readonly Uint8Array[]): void {
    if (items.length === 0) {
      this.actions.push({ key, value: undefined });
      return;
    }
    const { hash, value } = encodeBincodeLeaf(kind, items);
    this.leaves.push({ key: hash, value });
    this.actions.push({ key, value: hash });
  }
}

function isNumber(item: Uint8Array): boolean {
  return numberOfItem(item) !== undefined;
}

function requireThere(
  of: "datum" | "join",
  hash: Uint8Array,
  old: readonly Uint8Array[],
  removed: readonly Uint8Array[],
): void {
  if (multisetMinus(removed, old).length > 0) throw new MergeError({ code: "removedAbsent", of, hash });
}

/** In this order too. */
function sameItems(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return left.length === right.length && left.every((item, index) => equalBytes(item, right[index]!));
}

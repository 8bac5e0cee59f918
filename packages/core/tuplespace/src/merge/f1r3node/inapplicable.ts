import { toHex } from "@vedette/crypto";
import { type KeyChange, multisetMinus } from "../stateChange.js";
import { dependsOn } from "./eventRelations.js";
import type { ItemState } from "./ItemState.js";
import type { MergeChain } from "./MergeChain.js";
import { combineNumbers, type NumberChanges } from "./numberChanges.js";
import { numberOfItem } from "./numberItem.js";

/**
 * Chains of a branch that the base state cannot take: what they remove is not there, or a cell would hold a second
 * number; and what depends on them.
 *
 * @param branch those that are to be kept rather first
 * @spec 61 §12.6 (step 5)
 */
export function inapplicableChains(branch: readonly MergeChain[], base: ItemState): MergeChain[] {
  const numbers = branch.map((chain) => chain.numbers).reduce<NumberChanges>(combineNumbers, new Map());
  const running = new RunningItems(base);
  const refused: MergeChain[] = [];
  for (const chain of dependenciesFirst(branch)) {
    const fits = !refused.some((one) => dependsOn(chain.events, one.events)) && running.take(chain, numbers);
    if (!fits) refused.push(chain);
  }
  return refused;
}

/**
 * Chains that would leave more than one number in a cell that holds one, over all branches; and what depends on them.
 * The first that adds to a cell stays.
 *
 * @param chains those that are to be kept rather first
 * @spec 61 §12.6 (step 6)
 */
export function overfillingChains(chains: readonly MergeChain[], base: ItemState): MergeChain[] {
  const numbers = new Set(chains.flatMap((chain) => [...chain.numbers.keys()]));
  const refused = new Set<MergeChain>();
  const cells = new Map<
    string,
    { readonly hash: Uint8Array; added: Uint8Array[]; removed: Uint8Array[]; by: MergeChain[] }
  >();
  for (const chain of chains)
    for (const [key, { hash, added, removed }] of chain.change.data) {
      if (chain.numbers.has(key)) continue;
      if (numbers.has(key)) {
        refused.add(chain);
        continue;
      }
      let cell = cells.get(key);
      if (cell === undefined) cells.set(key, (cell = { hash, added: [], removed: [], by: [] }));
      cell.added.push(...added);
      cell.removed.push(...removed);
      if (added.length > 0) cell.by.push(chain);
    }
  for (const { hash, added, removed, by } of cells.values()) {
    const old = base.data(hash);
    const kept = multisetMinus(old, removed);
    const isCell = old.length === 0 ? added.every(isNumber) : old.length === 1 && isNumber(old[0]!);
    if (isCell && kept.length + added.length > 1) for (const chain of by.slice(1)) refused.add(chain);
  }
  const seeds = [...refused];
  return chains.filter((chain) => refused.has(chain) || seeds.some((one) => dependsOn(chain.events, one.events)));
}

/** The items on channels after the chains so far. */
class RunningItems {
  private readonly base: ItemState;
  private data = new Map<string, readonly Uint8Array[]>();
  private continuations = new Map<string, readonly Uint8Array[]>();

  constructor(base: ItemState) {
    this.base = base;
  }

  /** @returns whether the chain fits; if not, nothing has changed */
  take(chain: MergeChain, branchNumbers: NumberChanges): boolean {
    const cells = [...chain.change.data].filter(([key]) => !chain.numbers.has(key)).map(([, change]) => change);
    if (cells.some(({ hash }) => branchNumbers.has(toHex(hash)))) return false;
    const waits = [...chain.change.continuations.values()];
    const data = removedFrom(this.data, cells, (hash) => this.base.data(hash));
    const continuations = removedFrom(this.continuations, waits, (hash) => this.base.continuations(hash));
    if (data === undefined || continuations === undefined) return false;
    for (const { hash, added } of cells) {
      if (added.length === 0) continue;
      const old = this.base.data(hash);
      const now = data.get(toHex(hash)) ?? old;
      if (wouldOverfill(old, now, added)) return false;
      data.set(toHex(hash), [...now, ...added]);
    }
    for (const { hash, added } of waits) {
      if (added.length === 0) continue;
      const now = continuations.get(toHex(hash)) ?? this.base.continuations(hash);
      continuations.set(toHex(hash), [...now, ...added]);
    }
    this.data = data;
    this.continuations = continuations;
    return true;
  }
}

/** @returns `undefined` where something is not there */
function removedFrom(
  running: ReadonlyMap<string, readonly Uint8Array[]>,
  changes: readonly KeyChange[],
  inBase: (hash: Uint8Array) => readonly Uint8Array[],
): Map<string, readonly Uint8Array[]> | undefined {
  const next = new Map(running);
  for (const { hash, removed } of changes) {
    if (removed.length === 0) continue;
    const now = next.get(toHex(hash)) ?? inBase(hash);
    if (multisetMinus(removed, now).length > 0) return undefined;
    next.set(toHex(hash), multisetMinus(now, removed));
  }
  return next;
}

function wouldOverfill(old: readonly Uint8Array[], now: readonly Uint8Array[], added: readonly Uint8Array[]): boolean {
  if (now.length + added.length <= 1) return false;
  if (old.length === 1 && isNumber(old[0]!)) return true;
  return old.length === 0 && now.length > 0 && [...now, ...added].every(isNumber);
}

/** Each chain after those of the branch that it depends on; else in their order. */
function dependenciesFirst(branch: readonly MergeChain[]): MergeChain[] {
  const waiting = [...branch];
  const ordered: MergeChain[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex(
      (chain) => !waiting.some((other) => other !== chain && dependsOn(chain.events, other.events)),
    );
    ordered.push(...waiting.splice(Math.max(free, 0), 1));
  }
  return ordered;
}

function isNumber(item: Uint8Array): boolean {
  return numberOfItem(item) !== undefined;
}

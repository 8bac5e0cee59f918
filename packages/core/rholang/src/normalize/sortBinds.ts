import type { Par } from "@vedette/terms";
import { compareSortedBinds, equalPar, ReceiveBind, rnodeAtoms, sortReceiveBind, structuralHash } from "@vedette/terms";
import type { FreeMap } from "./FreeMap.js";
import type { NormalizedPatterns } from "./namePatterns.js";

/** A bind of a receive and the variables of its patterns. */
export interface NormalizedBind {
  readonly bind: ReceiveBind;
  readonly free: FreeMap;
}

/** Puts a bind together; its patterns and its channel are sorted, unless it is the only one. */
export function makeBind(source: Par, { patterns, remainder, free }: NormalizedPatterns): NormalizedBind {
  return { bind: new ReceiveBind(patterns, source, remainder, free.nextLevel), free };
}

/**
 * Brings the binds of one receive in the order of their scores, by which their variables are numbered. This is the
 * only time that binds are ordered.
 *
 * @spec 20 §9.4
 */
export function sortBinds(binds: readonly NormalizedBind[]): readonly NormalizedBind[] {
  if (binds.length < 2) return binds;
  return binds
    .map(({ bind, free }) => ({ bind: sortReceiveBind(bind, rnodeAtoms), free }))
    .sort((left, right) => compareSortedBinds(left.bind, right.bind, rnodeAtoms));
}

/** Whether two of these (sorted) binds read the same channel. @spec 20 §7.10 (4) */
export function readsChannelTwice(binds: readonly NormalizedBind[]): boolean {
  if (binds.length < 2) return false;
  const seen = new Map<number, Par[]>();
  for (const { bind } of binds) {
    const hash = structuralHash(bind.source);
    const alike = seen.get(hash);
    if (alike === undefined) seen.set(hash, [bind.source]);
    else if (alike.some((source) => equalPar(source, bind.source))) return true;
    else alike.push(bind.source);
  }
  return false;
}

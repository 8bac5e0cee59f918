import {
  type Bundle,
  compareParFields,
  emptyBitSet,
  equalBundle,
  equalMatch,
  equalNew,
  equalPar,
  equalPars,
  equalReceive,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
  type KeyValuePair,
  type Match,
  type MatchCase,
  type New,
  nil,
  Par,
  type ParFields,
  Receive,
  type ReceiveBind,
  type Send,
  structuralHash,
  type Unforgeable,
} from "@vedette/terms";
import { entryHash } from "../../match/matchStraight.js";
import type { F1r3nodeKind, F1r3nodeLeftover, F1r3nodeMatching } from "./F1r3nodeMatching.js";

const exactly: F1r3nodeLeftover<ReceiveBind> = { level: undefined, wildcard: false, merge: (value) => value };

/** Order by the fields, of what a Par has a list of. */
function compareIn<T>(asFields: (element: T) => ParFields): (left: T, right: T) => number {
  return (left, right) => compareParFields(Par.of(asFields(left)), Par.of(asFields(right)));
}

function isClosed({ locallyFree }: { readonly locallyFree: Uint8Array }): boolean {
  return locallyFree.length === 0;
}

/** Sends: channel, data and persistence match. @spec 22 §1.9 */
export const sendKind: F1r3nodeKind<Send> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalSend,
  compare: compareIn((send) => ({ sends: [send] })),
  match: (matching, target, pattern) =>
    target.persistent === pattern.persistent &&
    matching.par(target.chan, pattern.chan) &&
    matching.fold(target.data, pattern.data, undefined) !== undefined,
};

/** Whether a receive peeks is not compared. @spec 22 §1.9 */
export const receiveKind: F1r3nodeKind<Receive> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalReceive,
  compare: compareIn((receive) => ({ receives: [receive] })),
  match: (matching, target, pattern) =>
    target.persistent === pattern.persistent &&
    matching.list(bindKind, target.binds, pattern.binds, exactly) &&
    matching.par(target.body, pattern.body),
};

/** Binds: the sources match, the patterns are equal. @spec 22 §1.9 */
const bindKind: F1r3nodeKind<ReceiveBind> = {
  isConcrete: (pattern) => !pattern.source.connectiveUsed,
  isClosed: (target) => isClosed(target.source) && target.patterns.every(isClosed),
  equal: equalReceiveBind,
  compare: compareIn((bind) => ({ receives: [new Receive([bind], nil, false, false, 0, emptyBitSet, false)] })),
  match: (matching, target, pattern) =>
    equalPars(target.patterns, pattern.patterns) && matching.par(target.source, pattern.source),
};

/** `new`s of equally many names, with bodies that match. @spec 22 §1.9 */
export const newKind: F1r3nodeKind<New> = {
  isConcrete: (pattern) => !pattern.p.connectiveUsed,
  isClosed,
  equal: equalNew,
  compare: compareIn((fresh) => ({ news: [fresh] })),
  match: (matching, target, pattern) => target.bindCount === pattern.bindCount && matching.par(target.p, pattern.p),
};

/** `match`es: target and bodies match, the cases' patterns are equal; guards are not compared. @spec 22 §1.9 */
export const matchKind: F1r3nodeKind<Match> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalMatch,
  compare: compareIn((match) => ({ matches: [match] })),
  match: (matching, target, pattern) =>
    matching.par(target.target, pattern.target) && matchCases(matching, target.cases, pattern.cases),
};

function matchCases(
  matching: F1r3nodeMatching,
  targets: readonly MatchCase[],
  patterns: readonly MatchCase[],
): boolean {
  const common = Math.min(targets.length, patterns.length);
  for (let i = 0; i < common; i += 1) {
    const [target, pattern] = [targets[i]!, patterns[i]!];
    if (!equalPar(target.pattern, pattern.pattern) || !matching.par(target.source, pattern.source)) return false;
  }
  return targets.length === patterns.length;
}

/** Quirk 22 §1.9: a bundle is opaque; variables inside never match. */
export const bundleKind: F1r3nodeKind<Bundle> = {
  isConcrete: () => true,
  isClosed: ({ body }) => isClosed(body),
  equal: equalBundle,
  compare: compareIn((bundle) => ({ bundles: [bundle] })),
  match: (_, target, pattern) => equalBundle(target, pattern),
};

/** Unforgeable names match when they are equal. */
export const unforgeableKind: F1r3nodeKind<Unforgeable> = {
  isConcrete: () => true,
  isClosed: () => true,
  equal: equalUnforgeable,
  compare: compareIn((unforgeable) => ({ unforgeables: [unforgeable] })),
  match: (_, target, pattern) => equalUnforgeable(target, pattern),
};

/** Whole processes: elements of sets. */
export const parKind: F1r3nodeKind<Par> = {
  isConcrete: (pattern) => !pattern.connectiveUsed,
  isClosed,
  equal: equalPar,
  hashOf: structuralHash,
  compare: compareParFields,
  match: (matching, target, pattern) => matching.par(target, pattern),
};

/** Entries of a map: key and value match. */
export const entryKind: F1r3nodeKind<KeyValuePair> = {
  isConcrete: ({ key, value }) => !key.connectiveUsed && !value.connectiveUsed,
  isClosed: ({ key, value }) => isClosed(key) && isClosed(value),
  equal: (left, right) => equalPar(left.key, right.key) && equalPar(left.value, right.value),
  hashOf: entryHash,
  compare: (left, right) => compareParFields(left.key, right.key) || compareParFields(left.value, right.value),
  match: (matching, target, pattern) =>
    matching.par(target.key, pattern.key) && matching.par(target.value, pattern.value),
};

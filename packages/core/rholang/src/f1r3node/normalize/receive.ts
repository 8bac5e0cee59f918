import {
  anyConnectiveUsed,
  equalPar,
  type F1r3nodeParBuilder,
  f1r3nodeTerms,
  indicesOutside,
  type Par,
  Receive,
  ReceiveBind,
  structuralHash,
  uniteIndices,
  uniteIndicesOf,
} from "@vedette/terms";
import { spannedError } from "../../InterpreterError.js";
import { FreeMap } from "../../normalize/FreeMap.js";
import type { NormalizedPatterns } from "../../normalize/namePatterns.js";
import type { F1r3nodeReceipt, F1r3nodeReceiveProcess } from "../syntax/ast.js";
import { desugarReceive } from "./desugar.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { normalizeNamePatterns } from "./namePatterns.js";
import { usedTwice } from "./variable.js";

/** A bind of a receive and the variables of its patterns. */
interface F1r3nodeNormalizedBind {
  readonly bind: ReceiveBind;
  readonly free: FreeMap;
}

/** `for (binds where guard) { body }`. @spec 20 §7.10, 61 §5 */
export function normalizeReceive(
  process: F1r3nodeReceiveProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const desugared = desugarReceive(process, normalizer);
  if (desugared === undefined) into.addReceive(simpleReceive(process, free, normalizer));
  else normalizer.process(desugared, into, free);
}

function simpleReceive(
  { receipts, body }: F1r3nodeReceiveProcess,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): Receive {
  const [{ binds, guard }] = receipts as [F1r3nodeReceipt];
  // The first of them has a plain source, or the receive was desugared.
  if (binds.some(({ sourceKind }) => sourceKind !== "simple"))
    throw spannedError("ParserError", "Parser error: Only simple sources supported in current implementation");
  const patterns = binds.map((each) => normalizeNamePatterns(each.patterns, normalizer));
  const sources = binds.map(({ source }) => normalizer.name(source, free));
  const sorted = sortBinds(sources.map((source, i) => makeBind(source, patterns[i]!)));
  refuseEqualChannels(sorted, body.span, normalizer);
  const bound = mergeFree(sorted, normalizer);
  const condition = guard === undefined ? undefined : normalizer.under(bound, guard, free);
  const par = normalizer.under(bound, body, free);
  const count = bound.nextLevel;
  const inside = condition === undefined ? par.locallyFree : uniteIndices(par.locallyFree, condition.locallyFree);
  const outside = uniteIndices(
    uniteIndicesOf(patterns.flatMap((each) => each.patterns)),
    indicesOutside(inside, count),
  );
  const [{ kind }] = binds as [(typeof binds)[number]];
  return new Receive(
    sorted.map(({ bind }) => bind),
    par,
    kind === "repeated",
    kind === "peek",
    count,
    uniteIndices(uniteIndicesOf(sources), outside),
    anyConnectiveUsed(sources) || par.connectiveUsed || condition?.connectiveUsed === true,
    condition,
  );
}

function makeBind(source: Par, { patterns, remainder, free }: NormalizedPatterns): F1r3nodeNormalizedBind {
  return { bind: new ReceiveBind(patterns, source, remainder, free.nextLevel), free };
}

/** By their scores; this is the only time that binds are ordered. @spec 20 §9.4 */
function sortBinds(binds: readonly F1r3nodeNormalizedBind[]): readonly F1r3nodeNormalizedBind[] {
  return binds
    .map(({ bind, free }) => ({ bind: f1r3nodeTerms.sortReceiveBind(bind), free }))
    .sort((left, right) => f1r3nodeTerms.compareSortedBinds(left.bind, right.bind));
}

function refuseEqualChannels(
  binds: readonly F1r3nodeNormalizedBind[],
  span: number,
  { spans }: F1r3nodeNormalizer,
): void {
  const seen = new Map<number, Par[]>();
  for (const { bind } of binds.length < 2 ? [] : binds) {
    const hash = structuralHash(bind.source);
    const alike = seen.get(hash) ?? [];
    if (alike.some((source) => equalPar(source, bind.source))) {
      const text = `Receiving on the same channels is currently not allowed (at ${spans.shown(span)}).`;
      throw spannedError("ReceiveOnSameChannelsError", text, spans.startAt(span));
    }
    seen.set(hash, [...alike, bind.source]);
  }
}

/** Variables are numbered through all binds, in sorted order. @spec 20 §7.10 (5) */
function mergeFree(binds: readonly F1r3nodeNormalizedBind[], normalizer: F1r3nodeNormalizer): FreeMap {
  if (binds.length === 1) return binds[0]!.free;
  const merged = new FreeMap();
  for (const { free } of binds) {
    const clash = merged.merge(free);
    if (clash === undefined) continue;
    const places = { first: merged.find(clash)!.position, second: free.find(clash)!.position };
    throw usedTwice("UnexpectedReuseOfNameContextFree", clash, places, normalizer);
  }
  return merged;
}

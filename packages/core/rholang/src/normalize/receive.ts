import {
  anyConnectiveUsed,
  type BitSet,
  emptyBitSet,
  type Par,
  type ParBuilder,
  Receive,
  shiftBitsDown,
  unionBits,
  unionOfLocallyFree,
} from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import type { ReceiveProcess } from "../syntax/ast.js";
import { desugarReceive } from "./desugar.js";
import { FreeMap } from "./FreeMap.js";
import { normalizeUnder } from "./match.js";
import type { Normalizer } from "./Normalizer.js";
import { normalizeNamePatterns } from "./namePatterns.js";
import { makeBind, type NormalizedBind, readsChannelTwice, sortBinds } from "./sortBinds.js";

/** `for (binds) { body }`. @spec 20 §7.10 */
export function normalizeReceive(
  process: ReceiveProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const desugared = desugarReceive(process, normalizer);
  if (desugared !== undefined) {
    normalizer.process(desugared, into, free);
    return;
  }
  const { kind, binds } = process.receipts[0]!;
  const sources = binds.map(({ source }) => normalizer.name(source, free));
  const sorted = sortBinds(
    binds.map(({ patterns }, i) => makeBind(sources[i]!, normalizeNamePatterns(patterns, normalizer))),
  );
  if (readsChannelTwice(sorted)) {
    const at = normalizer.positionAt(process.position);
    throw new InterpreterError({ class: "ReceiveOnSameChannelsError", at });
  }
  const bound = mergeFree(sorted, normalizer);
  const body = normalizeUnder(bound, process.body, free, normalizer);
  into.addReceive(
    new Receive(
      sorted.map(({ bind }) => bind),
      body,
      kind === "repeated",
      kind === "peek",
      bound.nextLevel,
      unionBits(bindsFree(sorted, sources), shiftBitsDown(body.locallyFree, bound.nextLevel)),
      anyConnectiveUsed(sources) || body.connectiveUsed,
    ),
  );
}

/** Variables are numbered through all binds, in sorted order. @spec 20 §7.10 (5) */
function mergeFree(binds: readonly NormalizedBind[], normalizer: Normalizer): FreeMap {
  if (binds.length === 1) return binds[0]!.free;
  const merged = new FreeMap();
  for (const { free } of binds) {
    const clash = merged.merge(free);
    if (clash !== undefined)
      throw new InterpreterError({
        class: "UnexpectedReuseOfNameContextFree",
        name: clash,
        firstAt: normalizer.positionAt(merged.find(clash)!.position),
        at: normalizer.positionAt(free.find(clash)!.position),
      });
  }
  return merged;
}

function bindsFree(binds: readonly NormalizedBind[], sources: readonly Par[]): BitSet {
  let union: BitSet = emptyBitSet;
  for (const { bind } of binds) union = unionBits(union, unionOfLocallyFree(bind.patterns));
  return unionBits(unionOfLocallyFree(sources), union);
}

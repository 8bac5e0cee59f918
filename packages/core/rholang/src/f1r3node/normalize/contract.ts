import {
  type F1r3nodeParBuilder,
  indicesOutside,
  Receive,
  ReceiveBind,
  uniteIndices,
  uniteIndicesOf,
} from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { normalizeNamePatterns } from "./namePatterns.js";

/** `contract name(formals) = { body }`: a persistent receive. @spec 20 §7.11 */
export function normalizeContract(
  { name, formals, body }: Extract<F1r3nodeProcess, { kind: "Contract" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const source = normalizer.name(name, free);
  const { patterns, remainder, free: bound } = normalizeNamePatterns(formals, normalizer);
  const par = normalizer.under(bound, body, free);
  const count = bound.nextLevel;
  const outside = uniteIndices(uniteIndicesOf(patterns), indicesOutside(par.locallyFree, count));
  const locallyFree = uniteIndices(source.locallyFree, outside);
  const binds = [new ReceiveBind(patterns, source, remainder, count)];
  const connectiveUsed = source.connectiveUsed || par.connectiveUsed;
  into.addReceive(new Receive(binds, par, true, false, count, locallyFree, connectiveUsed));
}

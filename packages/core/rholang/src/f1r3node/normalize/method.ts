import { anyConnectiveUsed, EMethod, F1r3nodeParBuilder, type Par, uniteIndices, uniteIndicesOf } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeMethodProcess, F1r3nodeProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/**
 * `target.method(args)`, arguments from last to first; a chain of calls is walked, not recursed into.
 *
 * @spec 20 §7.8
 */
export function normalizeMethod(
  process: F1r3nodeMethodProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const chain: F1r3nodeMethodProcess[] = [process];
  let first: F1r3nodeProcess = process.target;
  for (; first.kind === "Method"; first = first.target) chain.push(first);
  let target = normalizer.alone(first, free);
  const { depth } = normalizer.scope;
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const { method, args } = chain[i]!;
    const pars: Par[] = [];
    for (let arg = args.length - 1; arg >= 0; arg -= 1) pars.push(normalizer.alone(args[arg]!, free));
    pars.reverse();
    const locallyFree = uniteIndices(target.locallyFree, uniteIndicesOf(pars));
    const connectiveUsed = target.connectiveUsed || anyConnectiveUsed(pars);
    const builder = i === 0 ? into : new F1r3nodeParBuilder();
    builder.addExpr(new EMethod(method, target, pars, locallyFree, connectiveUsed), depth);
    if (i > 0) target = builder.build();
  }
}

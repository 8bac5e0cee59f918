import { anyConnectiveUsed, EMethod, type ParBuilder, parOfExpr, unionBits, unionOfLocallyFree } from "@vedette/terms";
import type { MethodProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `target.method(args)`; a chain of calls is walked, not recursed into. @spec 20 §7.8 */
export function normalizeMethod(process: MethodProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const chain: MethodProcess[] = [process];
  let first = process.target;
  for (; first.kind === "Method"; first = first.target) chain.push(first);
  let target = normalizer.alone(first, free);
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const call = chain[i]!;
    const args = normalizer.eachFromLast(call.args, free);
    const locallyFree = unionBits(target.locallyFree, unionOfLocallyFree(args));
    const connectiveUsed = target.connectiveUsed || anyConnectiveUsed(args);
    const expr = new EMethod(call.method, target, args, locallyFree, connectiveUsed);
    if (i === 0) into.addExpr(expr, locallyFree, connectiveUsed);
    else target = parOfExpr(expr);
  }
}

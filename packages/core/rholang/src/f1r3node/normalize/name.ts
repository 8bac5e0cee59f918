import { boundVar, EVar, f1r3nodeParOfExpr, freeVar, type Par } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeName } from "../syntax/ast.js";
import { type PackedSpan, wildcardSpan } from "../syntax/PackedSpan.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { usedTwice, wildcardExpr, wrongSort } from "./variable.js";

/** A name: as a term it is the process that it quotes. @spec 20 §7.5, 61 §5 */
export function normalizeName(name: F1r3nodeName, free: FreeMap, normalizer: F1r3nodeNormalizer): Par {
  const { depth } = normalizer.scope;
  switch (name.kind) {
    case "NameWildcard":
      free.wildcards.push(wildcardSpan);
      return f1r3nodeParOfExpr(wildcardExpr, depth);
    case "NameVariable":
      return nameVariable(name.name, name.span, free, normalizer);
    case "Quote":
      return normalizer.alone(name.process, free);
  }
}

function nameVariable(name: string, span: PackedSpan, free: FreeMap, normalizer: F1r3nodeNormalizer): Par {
  const { depth } = normalizer.scope;
  const bound = normalizer.scope.find(name);
  if (bound !== undefined) {
    if (!bound.isName) throw wrongSort("UnexpectedNameContext", name, bound, span, normalizer);
    return f1r3nodeParOfExpr(new EVar(boundVar(bound.index)), depth);
  }
  const known = free.find(name);
  if (known === undefined) return f1r3nodeParOfExpr(new EVar(freeVar(free.put(name, true, span))), depth);
  throw usedTwice("UnexpectedReuseOfNameContextFree", name, { first: known.position, second: span }, normalizer);
}

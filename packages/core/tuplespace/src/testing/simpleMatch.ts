import { equalBytes } from "@vedette/crypto";
import {
  type BindPattern,
  EVar,
  encodePar,
  freeVar,
  GInt,
  GPrivate,
  GString,
  ListParWithRandom,
  nil,
  Par,
  wildcard,
} from "@vedette/terms";

/**
 * A matcher for tests: a pattern is a free variable, a wildcard, or a term that must be equal. Enough to drive a tuple
 * space: its own rules do not depend on the meaning of a pattern.
 */
export function simpleMatch(pattern: BindPattern, data: ListParWithRandom): ListParWithRandom | undefined {
  return matchBy(encodePar, pattern, data);
}

/** As {@link simpleMatch}, for terms of another form. @param encode bytes of a term, in its form */
export function matchBy(
  encode: (par: Par) => Uint8Array,
  pattern: BindPattern,
  data: ListParWithRandom,
): ListParWithRandom | undefined {
  if (pattern.patterns.length !== data.pars.length) return undefined;
  const bound: Par[] = new Array<Par>(pattern.freeCount).fill(nil);
  for (const [index, one] of pattern.patterns.entries()) {
    const value = data.pars[index]!;
    const expr = one.exprs[0];
    if (expr?.kind === "EVar" && expr.v.kind === "Wildcard") continue;
    if (expr?.kind === "EVar" && expr.v.kind === "FreeVar") bound[expr.v.index] = value;
    else if (!equalBytes(encode(one), encode(value))) return undefined;
  }
  return new ListParWithRandom(bound, data.randomState);
}

export const freePattern = Par.of({ exprs: [new EVar(freeVar(0))], connectiveUsed: true });
export const anyPattern = Par.of({ exprs: [new EVar(wildcard)], connectiveUsed: true });

export function int(value: number): Par {
  return Par.of({ exprs: [new GInt(BigInt(value))] });
}

export function text(value: string): Par {
  return Par.of({ exprs: [new GString(value)] });
}

export function name(...id: number[]): Par {
  return Par.of({ unforgeables: [new GPrivate(Uint8Array.from(id))] });
}

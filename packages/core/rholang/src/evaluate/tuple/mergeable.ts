import { equalPar, type Par } from "@vedette/terms";

/**
 * Whether a channel is a mergeable one: the first element of its top-level tuples is the tag.
 *
 * @spec 21 §3.6
 */
export function isMergeable(channel: Par, tag: Par): boolean {
  const { exprs } = channel;
  for (let i = 0; i < exprs.length; i += 1) {
    const expr = exprs[i]!;
    if (expr.kind === "ETuple" && expr.ps.length > 0) return equalPar(expr.ps[0]!, tag);
  }
  return false;
}

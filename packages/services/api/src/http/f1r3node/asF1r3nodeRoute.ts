import type { TSchema } from "typebox";
import type { RouteContract } from "../RouteContract.js";

/**
 * A route of rnode as f1r3node nodes have it: it refuses with a word and a sentence, and is below `/api/v1` where the
 * versioned API has it.
 *
 * @spec 50 §10.2
 */
export function ofF1r3nodeNodes<P extends TSchema, Q extends TSchema, B extends TSchema, A extends TSchema>(
  route: RouteContract<P, Q, B, A>,
  { otherStatuses = [], isVersioned = false }: { otherStatuses?: readonly number[]; isVersioned?: boolean } = {},
): RouteContract<P, Q, B, A> {
  const [first, ...others] = route.paths;
  const ofBody = route.body?.type === "application/json" ? [415] : [];
  const versioned = isVersioned ? [first.replace("/api/", "/api/v1/")] : [];
  return {
    ...route,
    paths: [first, ...others, ...versioned],
    refusals: "kind",
    otherStatuses: [...new Set([...otherStatuses, ...ofBody, ...(route.otherStatuses ?? []), 503])].sort(),
  };
}

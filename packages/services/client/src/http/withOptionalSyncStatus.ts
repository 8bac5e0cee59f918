import type { apiStatusRoute, dialectNeutralRoutes } from "@vedette/api";

/** A route's contract that rnode nodes fulfil as well: they send no `syncStatus`. @spec 50 §8.7 */
export function withOptionalSyncStatus<Route extends typeof dialectNeutralRoutes.status | typeof apiStatusRoute>(
  route: Route,
): Route {
  const schema = route.answer.schema as { readonly required: readonly string[] };
  const required = schema.required.filter((name) => name !== "syncStatus");
  return { ...route, answer: { ...route.answer, schema: { ...schema, required } } };
}

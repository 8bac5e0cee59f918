import type { ApiQueries } from "@vedette/queries";
import type { ApiDialect } from "./ApiDialect.js";
import { newerApi } from "./newer/newerApi.js";
import { referenceApi } from "./referenceApi.js";

/** By what the node knows of its network. */
export function apiDialectOf({ status }: Pick<ApiQueries, "status">): ApiDialect {
  return status.network.newer === undefined ? referenceApi : newerApi;
}

import type { ApiQueries } from "@vedette/queries";
import type { ApiDialect } from "./ApiDialect.js";
import { f1r3nodeApi } from "./f1r3node/f1r3nodeApi.js";
import { referenceApi } from "./referenceApi.js";

/** By what the node knows of its network. */
export function apiDialectOf({ status }: Pick<ApiQueries, "status">): ApiDialect {
  return status.network.f1r3node === undefined ? referenceApi : f1r3nodeApi;
}

import type { openApiRoute } from "@vedette/api";
import type { ApiQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import type { HttpConventions } from "./conventions/HttpConventions.js";

/**
 * The parts of the two HTTP servers that differ between dialects: the routes that nodes of other makes have.
 * @spec 50 §1, §10
 */
export interface ApiDialect {
  readonly conventions: HttpConventions;
  /** The path of the description of all routes. */
  readonly documentRoute: typeof openApiRoute;
  /** @param isReporting whether reports of blocks are public */
  registerPublic(server: FastifyInstance, queries: ApiQueries, isReporting: boolean): void;
  registerOperator(server: FastifyInstance, queries: ApiQueries): void;
}

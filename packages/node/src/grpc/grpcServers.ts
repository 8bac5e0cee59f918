import { DeployService, ProposeService } from "@vedette/api/grpc";
import type { ApiQueries } from "../query/apiQueries.js";
import { registerDeployService } from "./deployService.js";
import { GrpcServer } from "./GrpcServer.js";
import type { GrpcLimits } from "./limits.js";
import { registerProposeService } from "./proposeService.js";
import { registerReflection } from "./reflectionService.js";

/** What the servers are made of. */
export interface GrpcServersOptions {
  readonly queries: ApiQueries;
  readonly limits: GrpcLimits;
  /** Takes what went wrong in a method, for the log. @spec 50 §3.2 */
  readonly onFailure: (service: "Deploy" | "Propose", error: unknown) => void;
  readonly nowMs: () => number;
}

/** The server for users. @spec 50 §3.1 */
export function externalGrpcServer({ queries, limits, onFailure, nowMs }: GrpcServersOptions): GrpcServer {
  return new GrpcServer({
    limits,
    nowMs,
    routes: (router) => {
      registerDeployService(router, queries, (error) => onFailure("Deploy", error));
      registerReflection(router, [DeployService]);
    },
  });
}

/** The server for the operator: what users have, and the making of blocks. @spec 50 §3.1 */
export function internalGrpcServer({ queries, limits, onFailure, nowMs }: GrpcServersOptions): GrpcServer {
  return new GrpcServer({
    limits,
    nowMs,
    routes: (router) => {
      registerDeployService(router, queries, (error) => onFailure("Deploy", error));
      registerProposeService(router, queries.proposals, (error) => onFailure("Propose", error));
      registerReflection(router, [DeployService, ProposeService]);
    },
  });
}

import { proposeRoute } from "@vedette/api";
import type { ProposeRequests } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "./serve.js";

/** `POST /api/propose` of the operator's server. @spec 50 §2.1 */
export function registerPropose(server: FastifyInstance, proposals: ProposeRequests): void {
  serve(server, proposeRoute, () => proposals.propose(false));
}

import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { sendJson } from "./server.js";

/** `GET /last-finalized-block`. @spec 50 §1.9 */
export function registerLastFinalizedBlock(server: FastifyInstance, blocks: BlockQueries): void {
  for (const prefix of ["", "/api"])
    server.get(`${prefix}/last-finalized-block`, (_request, reply) => sendJson(reply, blocks.lastFinalizedBlock()));
}

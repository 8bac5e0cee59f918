import { lastFinalizedBlockRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /last-finalized-block`. @spec 50 §1.9 */
export function registerLastFinalizedBlock(server: FastifyInstance, blocks: BlockQueries): void {
  serve(server, lastFinalizedBlockRoute, () => new JsonText(blocks.lastFinalizedBlock()));
}

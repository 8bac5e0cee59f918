import { lastFinalizedBlockRoute } from "@vedette/api";
import type { BlockAnswers } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { textOf } from "./block.js";
import { serve } from "./serve.js";

/** `GET /last-finalized-block`. @spec 50 §1.9 */
export function registerLastFinalizedBlock(server: FastifyInstance, answers: BlockAnswers): void {
  serve(server, lastFinalizedBlockRoute, (_, context) => textOf(answers.lastFinalized(context)));
}

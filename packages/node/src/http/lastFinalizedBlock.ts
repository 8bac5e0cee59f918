import { lastFinalizedBlockRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { BlockAnswers } from "../query/BlockAnswers.js";
import { textOf } from "./block.js";
import { serve } from "./serve.js";

/** `GET /last-finalized-block`. @spec 50 §1.9 */
export function registerLastFinalizedBlock(server: FastifyInstance, answers: BlockAnswers): void {
  serve(server, lastFinalizedBlockRoute, () => textOf(answers.lastFinalized()));
}

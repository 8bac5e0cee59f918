import { blockRoute, isFinalizedRoute } from "@vedette/api";
import { fromHexLenient } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import type { BlockAnswer, BlockAnswers } from "../query/BlockAnswers.js";
import type { BlockQueries } from "../query/BlockQueries.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /block/{hash}`, `GET /is-finalized/{hash}`. @spec 50 §1.9 */
export function registerBlock(server: FastifyInstance, blocks: BlockQueries, answers: BlockAnswers): void {
  serve(server, blockRoute, ({ params }) => textOf(answers.block(params.hash)));
  serve(server, isFinalizedRoute, ({ params }) => {
    const isFinalized = blocks.isFinalized(fromHexLenient(params.hash));
    return new JsonText(String(isFinalized), { isSettled: isFinalized });
  });
}

/** An answer about blocks as it is sent. */
export function textOf({ printed, isSettled }: BlockAnswer): JsonText {
  return new JsonText(printed, { isSettled });
}

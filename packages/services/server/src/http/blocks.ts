import { blockSpanRoute, blocksRoute, newestBlocksRoute } from "@vedette/api";
import type { BlockAnswers, BlockQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { textOf } from "./block.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /blocks`, `/blocks/{depth}`, `/blocks/{start}/{end}`. @spec 50 §1.9 */
export function registerBlocks(server: FastifyInstance, blocks: BlockQueries, answers: BlockAnswers): void {
  serve(server, newestBlocksRoute, () => textOf(answers.newest(1)));
  serve(server, blocksRoute, ({ params }) => textOf(answers.newest(params.depth)));
  serve(
    server,
    blockSpanRoute,
    ({ params }) => new JsonText(blocks.blockSpan(BigInt(params.start), BigInt(params.end))),
  );
}

import { blockSpanRoute, blocksRoute, newestBlocksRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /blocks`, `/blocks/{depth}`, `/blocks/{start}/{end}`. @spec 50 §1.9 */
export function registerBlocks(server: FastifyInstance, blocks: BlockQueries): void {
  serve(server, newestBlocksRoute, () => new JsonText(blocks.newestBlocks(1)));
  serve(server, blocksRoute, ({ params }) => new JsonText(blocks.newestBlocks(params.depth)));
  serve(
    server,
    blockSpanRoute,
    ({ params }) => new JsonText(blocks.blockSpan(BigInt(params.start), BigInt(params.end))),
  );
}

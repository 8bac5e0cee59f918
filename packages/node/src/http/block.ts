import { blockRoute, isFinalizedRoute } from "@vedette/api";
import { fromHexLenient } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /block/{hash}`, `GET /is-finalized/{hash}`. @spec 50 §1.9 */
export function registerBlock(server: FastifyInstance, blocks: BlockQueries): void {
  serve(server, blockRoute, ({ params }) => blockAnswer(blocks, params.hash));
  serve(server, isFinalizedRoute, ({ params }) => {
    const isFinalized = blocks.isFinalized(fromHexLenient(params.hash));
    return new JsonText(String(isFinalized), { isSettled: isFinalized });
  });
}

/** A block that was named by all of its hash. @spec 50 §1.9 */
export function blockAnswer(blocks: BlockQueries, hash: string): JsonText {
  return new JsonText(blocks.block(hash), { isSettled: false });
}

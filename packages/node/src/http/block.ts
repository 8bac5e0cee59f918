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

/** A block with its deploys. What its first digits name can become another block. @spec 50 §1.9 */
export function blockAnswer(blocks: BlockQueries, hash: string): JsonText {
  const metadata = blocks.requireBlock(hash);
  return new JsonText(blocks.fullText(metadata), { isSettled: hash.length === 64 && blocks.isSettled(metadata) });
}

import { blockBytesRoute, blockRoute, isFinalizedRoute, JsonHex } from "@vedette/api";
import { fromHexLenient, toHex } from "@vedette/crypto";
import type { BlockAnswer, BlockAnswers, BlockQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /block/{hash}`, `GET /is-finalized/{hash}`, `GET /v2/block/{hash}/bytes`. @spec 50 §1.9, §1.15 */
export function registerBlock(server: FastifyInstance, blocks: BlockQueries, answers: BlockAnswers): void {
  serve(server, blockRoute, ({ params }, context) => textOf(answers.block(params.hash, context)));
  serve(server, isFinalizedRoute, ({ params }) => {
    const isFinalized = blocks.isFinalized(fromHexLenient(params.hash));
    return new JsonText(String(isFinalized), { isSettled: isFinalized });
  });
  registerBlockBytes(server, blocks);
}

/** `GET /v2/block/{hash}/bytes`. @spec 50 §1.15 */
export function registerBlockBytes(server: FastifyInstance, blocks: BlockQueries): void {
  serve(server, blockBytesRoute, ({ params }) => {
    const found = blocks.requireBlock(params.hash);
    return { blockHash: toHex(found.hash), blockNumber: found.number, bytes: new JsonHex(blocks.bytesOf(found)) };
  });
}

/** An answer about blocks as it is sent; one that is at hand is not waited for. */
export function textOf(answer: BlockAnswer): JsonText;
export function textOf(answer: BlockAnswer | Promise<BlockAnswer>): JsonText | Promise<JsonText>;
export function textOf(answer: BlockAnswer | Promise<BlockAnswer>): JsonText | Promise<JsonText> {
  if (answer instanceof Promise) return answer.then((made) => textOf(made));
  const { printed, isSettled } = answer;
  return new JsonText(printed, { isSettled });
}

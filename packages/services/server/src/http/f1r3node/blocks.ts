import {
  f1r3nodeBlockRoute,
  f1r3nodeBlockSpanRoute,
  f1r3nodeBlocksRoute,
  f1r3nodeIsFinalizedRoute,
  f1r3nodeLastFinalizedBlockRoute,
  f1r3nodeNewestBlocksRoute,
} from "@vedette/api";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type BlockQueries, type F1r3nodeBlockAnswers, shownName } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { registerBlockBytes, textOf } from "../block.js";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { viewOf } from "./viewOf.js";

/** Blocks, with their deploys where they are wanted. @spec 50 §10.3 */
export function registerF1r3nodeBlocks(
  server: FastifyInstance,
  answers: F1r3nodeBlockAnswers,
  blocks: BlockQueries,
): void {
  serve(server, f1r3nodeNewestBlocksRoute, async ({ query }, context) =>
    textOf(await answers.newest(1, viewOf(query, "summary"), context)),
  );
  serve(server, f1r3nodeBlocksRoute, async ({ params, query }, context) =>
    textOf(await answers.newest(params.depth, viewOf(query, "summary"), context)),
  );
  serve(server, f1r3nodeBlockSpanRoute, async ({ params: { start, end }, query }, context) => {
    if (start > end) throw new ApiError("The first height of a span must not lie above the last one.");
    return textOf(await answers.span(BigInt(start), BigInt(end), viewOf(query, "summary"), context));
  });
  serve(server, f1r3nodeLastFinalizedBlockRoute, async ({ query }, context) =>
    textOf(await answers.lastFinalized(viewOf(query, "full"), context)),
  );
  serve(server, f1r3nodeBlockRoute, async ({ params, query }, context) =>
    textOf(await answers.block(params.hash, viewOf(query, "full"), context)),
  );
  serve(server, f1r3nodeIsFinalizedRoute, ({ params }) => {
    const hash = fromHexPadded(params.hash);
    if (hash === undefined)
      throw new ApiError(`'${shownName(params.hash)}' is not the hash of a block.`, { reason: "invalidHash" });
    const isFinalized = blocks.isFinalized(hash);
    return new JsonText(String(isFinalized), { isSettled: isFinalized });
  });
  registerBlockBytes(server, blocks);
}

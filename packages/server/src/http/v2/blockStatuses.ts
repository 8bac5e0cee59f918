import { blockStatusesRoute, mostStatusHeights } from "@vedette/api";
import type { AccountQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { placedBlock } from "./accountParts.js";

/** `GET /v2/block-statuses`. @spec 50 §1.13 */
export function registerBlockStatuses(server: FastifyInstance, accounts: AccountQueries): void {
  serve(server, blockStatusesRoute, ({ query: { from, to } }) => {
    const last = from + BigInt(mostStatusHeights - 1);
    const found = accounts.decisions(from, to < last ? to : last);
    const blocks = found.map(({ block, decision }) =>
      placedBlock({ blockHash: block.hash, height: block.number }, decision),
    );
    return { blocks };
  });
}

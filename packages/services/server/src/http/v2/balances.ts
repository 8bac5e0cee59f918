import { balancesRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { BalanceQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { mapToProblem } from "./stateProblem.js";

/** `POST /v2/balances`. @spec 50 §1.13 */
export function registerBalances(server: FastifyInstance, queries: BalanceQueries): void {
  serve(server, balancesRoute, async ({ body }, { signal }) => {
    const { addresses, block: name = "finalized" } = body;
    const { block, root, balances } = await mapToProblem(
      (field) => `body.${field}`,
      queries.balances(addresses, name, signal),
    );
    return {
      block: { blockHash: toHex(block.hash), blockNumber: block.number },
      root: toHex(root),
      balances: addresses.map((address, index) => ({ address, balance: balances[index]! })),
    };
  });
}

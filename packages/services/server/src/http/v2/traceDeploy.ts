import { traceDeployRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import { type ApiQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { signatureOf } from "./accountParts.js";
import { traceToJson } from "./traceToJson.js";

/** `GET /v2/deploy/{id}/trace`. @spec 41 §8.5, 50 §1.13 */
export function registerTraceDeploy(
  server: FastifyInstance,
  { accounts, blocks, traces }: Pick<ApiQueries, "accounts" | "blocks" | "traces">,
): void {
  serve(server, traceDeployRoute, async ({ params, query }, { request }) => {
    const id = signatureOf(params.id);
    const found =
      query.block === undefined ? accounts.deploy(id)?.inclusions[0]?.block : blocks.requireBlock(query.block);
    if (found === undefined)
      throw new Problem("No block of this node has the deploy.", { status: 404, field: "params.id" });
    const { trace, cost, errors, systemDeployError } = await traces.trace(found, id, request.ip);
    return {
      deployId: toHex(id),
      block: { blockHash: toHex(found.hash), blockNumber: found.number },
      ...{ cost, systemDeployError },
      errors: errors.map(({ class: name, text, line, column }) => ({
        ...{ class: name, text },
        ...{ line: line ?? null, column: column ?? null },
      })),
      ...traceToJson(trace),
    };
  });
}

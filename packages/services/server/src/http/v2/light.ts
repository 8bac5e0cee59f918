import { lightUpdateRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { LightQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { mapToProblem } from "./stateProblem.js";

/** `GET /v2/light/update`. @spec 70 §9 */
export function registerLight(server: FastifyInstance, queries: LightQueries): void {
  serve(server, lightUpdateRoute, async ({ query }, { request, signal }) => {
    const { trusted, target, blocks } = await mapToProblem("query", queries.update(query, request.ip, signal));
    return { trusted: placed(trusted), target: target === undefined ? null : placed(target), blocks: [...blocks] };
  });
}

function placed({ hash, number }: { readonly hash: Uint8Array; readonly number: bigint }) {
  return { blockHash: toHex(hash), blockNumber: number };
}

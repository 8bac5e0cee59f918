import { contractSourceRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import { type ContractSources, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { mapToProblem } from "./stateProblem.js";

/** `POST /v2/contract-source`. @spec 50 §1.13 */
export function registerContractSource(server: FastifyInstance, sources: ContractSources): void {
  serve(server, contractSourceRoute, async ({ body }, { request, signal }) => {
    const { uri, source, block = "finalized" } = body;
    // Entries of names are in a list there.
    const place = (field: string) => `body.${field.startsWith("names") ? "uri" : field === "root" ? "block" : field}`;
    const answer = sources.verify({ uri, source, block }, request.ip, signal);
    const { state, ...verdict } = await mapToProblem(place, answer);
    if (state.block === undefined) throw new Problem("body.block must name a block.", { field: "body.block" });
    const { hash, number } = state.block;
    return { block: { blockHash: toHex(hash), blockNumber: number, state: state.which }, ...verdict };
  });
}

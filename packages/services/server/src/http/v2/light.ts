import {
  lightCheckpointRoute,
  lightDeployRoute,
  lightExploreRoute,
  lightPathRoute,
  lightRegistryRoute,
  lightUpdateRoute,
} from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { StatePiece } from "@vedette/executor";
import type { LightQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { type RequestContext, serve } from "../serve.js";
import { mapToProblem } from "./stateProblem.js";

/** `GET /v2/light/…`. @spec 70 §9 */
export function registerLight(server: FastifyInstance, queries: LightQueries): void {
  const { paths, pieces } = queries;
  serve(server, lightUpdateRoute, async ({ query }, { request, signal }) => {
    const update = await mapToProblem("query", queries.update(query, request.ip, signal));
    const { trusted, target, blocks, packed } = update;
    const ends = { trusted: placed(trusted), target: target === undefined ? null : placed(target) };
    return { ...ends, blocks: [...blocks], ...(packed !== undefined && { packed }) };
  });
  serve(server, lightPathRoute, async ({ query }, context) => {
    const asked = async () => paths.path(query, askingOf(context));
    return { blocks: (await mapToProblem("query", asked())).map(toHex) };
  });
  serve(server, lightDeployRoute, async ({ params: { id }, query: { from } }, context) => {
    const asked = async () => paths.deploy(id, from, askingOf(context));
    const place = (field: string) => (field === "id" ? "params.id" : `query.${field}`);
    return { blocks: (await mapToProblem(place, asked())).map(toHex) };
  });
  serve(server, lightRegistryRoute, async ({ params: { uri }, query: { block } }, context) => {
    const asked = async () => pieces.registry(uri, block, askingOf(context));
    const place = (field: string) => (field === "uri" ? "params.uri" : `query.${field}`);
    return printed(await mapToProblem(place, asked()));
  });
  serve(server, lightExploreRoute, async ({ body: { term, block } }, context) => {
    const asked = async () => pieces.program(term, block, askingOf(context));
    return printed(await mapToProblem("body", asked()));
  });
  serve(server, lightCheckpointRoute, async ({ query }, { request, signal }) => {
    const asked = async () => queries.checkpoint(query.blockNumber, request.ip, signal);
    const { blockNumber, timestamp, ...facts } = await mapToProblem("query", asked());
    return { ...facts, blockNumber: BigInt(blockNumber), timestamp: BigInt(timestamp) };
  });
}

function printed(pieces: readonly StatePiece[]) {
  return { pieces: pieces.map(({ hash, bytes }) => ({ hash: toHex(hash), bytes: toHex(bytes) })) };
}

function askingOf({ request, signal }: RequestContext) {
  return { client: request.ip, signal };
}

function placed({ hash, number }: { readonly hash: Uint8Array; readonly number: bigint }) {
  return { blockHash: toHex(hash), blockNumber: number };
}

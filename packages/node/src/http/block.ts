import { fromHexLenient } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { sendJson } from "./server.js";

type HashParams = { Params: { hash: string } };

/** `GET /block/{hash}`, `GET /is-finalized/{hash}`. @spec 50 §1.9 */
export function registerBlock(server: FastifyInstance, blocks: BlockQueries): void {
  for (const prefix of ["", "/api"]) {
    server.get<HashParams>(`${prefix}/block/:hash`, (request, reply) =>
      sendJson(reply, blocks.block(request.params.hash)),
    );
    server.get<HashParams>(`${prefix}/is-finalized/:hash`, (request, reply) =>
      sendJson(reply, String(blocks.isFinalized(fromHexLenient(request.params.hash)))),
    );
  }
}

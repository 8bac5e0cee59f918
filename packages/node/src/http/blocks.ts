import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import { sendJson } from "./server.js";

/** `GET /blocks`, `/blocks/{depth}`, `/blocks/{start}/{end}`. @spec 50 §1.9 */
export function registerBlocks(server: FastifyInstance, blocks: BlockQueries): void {
  for (const prefix of ["", "/api"]) {
    server.get(`${prefix}/blocks`, (_request, reply) => sendJson(reply, blocks.newestBlocks(1)));
    server.get<{ Params: { depth: string } }>(`${prefix}/blocks/:depth`, (request, reply) => {
      const depth = readInt(request.params.depth);
      return depth === undefined ? reply.callNotFound() : sendJson(reply, blocks.newestBlocks(depth));
    });
    server.get<{ Params: { start: string; end: string } }>(`${prefix}/blocks/:start/:end`, (request, reply) => {
      const start = readInt(request.params.start);
      const end = readInt(request.params.end);
      if (start === undefined || end === undefined) return reply.callNotFound();
      return sendJson(reply, blocks.blockSpan(BigInt(start), BigInt(end)));
    });
  }
}

/** A decimal 32-bit integer; anything else makes the route not match. @spec 50 §1.1 */
function readInt(text: string): number | undefined {
  if (!/^-?\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value : undefined;
}

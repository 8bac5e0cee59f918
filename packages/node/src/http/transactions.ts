import type { FastifyInstance } from "fastify";
import { sendJson } from "./server.js";

/** `GET /api/transactions/{hash}`: empty on a node that does not report. @spec 50 §1.9 */
export function registerTransactions(server: FastifyInstance): void {
  server.get("/api/transactions/:hash", (_request, reply) => sendJson(reply, '{"data":[]}'));
}

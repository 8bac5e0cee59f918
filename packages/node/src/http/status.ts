import { apiStatusBody, type NetworkFacts, type NodeStatusView, printJson, statusBody } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import { sendJson } from "./server.js";

/** What the status routes tell. */
export interface StatusReads {
  readonly version: string;
  readonly network: NetworkFacts;
  now(): NodeStatusView;
}

/** `GET /status`, `GET /api/status`, `GET /version`. @spec 50 §1.4, §1.9 */
export function registerStatus(server: FastifyInstance, reads: StatusReads): void {
  server.get("/status", (_request, reply) => sendJson(reply, printJson(statusBody(reads.now()))));
  server.get("/status/", (_request, reply) => sendJson(reply, printJson(statusBody(reads.now()))));
  server.get("/api/status", (_request, reply) => sendJson(reply, printJson(apiStatusBody(reads.now(), reads.network))));
  server.get("/version", (_request, reply) => reply.type("text/plain; charset=UTF-8").send(reads.version));
}

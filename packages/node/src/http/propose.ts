import type { FastifyInstance } from "fastify";
import type { ProposeRequests } from "../query/ProposeRequests.js";
import { sendJson } from "./server.js";

/** `POST /api/propose` of the operator's server. @spec 50 §2.1 */
export function registerPropose(server: FastifyInstance, proposals: ProposeRequests): void {
  server.post("/api/propose", async (_request, reply) => sendJson(reply, await proposeNow(proposals)));
}

/** Has a block made and waits for it. @returns the answer as JSON @throws {ApiError} @spec 50 §2.1 */
export async function proposeNow(proposals: ProposeRequests): Promise<string> {
  return JSON.stringify(await proposals.propose(false));
}

import {
  apiStatusBody,
  apiStatusRoute,
  peersBody,
  peersRoute,
  printJson,
  statusBody,
  statusRoute,
  versionRoute,
} from "@vedette/api";
import type { StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { OncePerChange } from "./OncePerChange.js";
import { serve } from "./serve.js";

/** `GET /v2/peers`. @spec 50 §1.15 */
export function registerPeers(server: FastifyInstance, reads: StatusReads): void {
  const answer = new OncePerChange(reads.changes, () => ({ text: printJson(peersBody(reads.now())) }));
  serve(server, peersRoute, () => answer.now());
}

/** `GET /status`, `GET /api/status` (another body than that of `/status`), `GET /version`. @spec 50 §1.4, §1.7, §1.9 */
export function registerStatus(server: FastifyInstance, reads: StatusReads): void {
  const rootAnswer = new OncePerChange(reads.changes, () => ({ text: printJson(statusBody(reads.now())) }));
  const apiAnswer = apiStatusAnswer(reads);
  serve(server, statusRoute, () => rootAnswer.now());
  serve(server, apiStatusRoute, () => apiAnswer.now());
  const version = new JsonText(reads.version);
  serve(server, versionRoute, () => version);
}

/** The answer of `/api/status`. @spec 50 §1.7 */
export function apiStatusAnswer(reads: StatusReads): OncePerChange {
  return new OncePerChange(reads.changes, () => ({ text: printJson(apiStatusBody(reads.now(), reads.network)) }));
}

import { transactionsRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /transactions/{hash}`: empty on a node that does not report. @spec 50 §1.9 */
export function registerTransactions(server: FastifyInstance): void {
  serve(server, transactionsRoute, () => new JsonText('{"data":[]}'));
}

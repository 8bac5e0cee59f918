import { transactionsRoute } from "@vedette/api";
import { fromHexLenient } from "@vedette/crypto";
import type { ReportQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /transactions/{hash}`. @spec 50 §1.9 */
export function registerTransactions(server: FastifyInstance, reports: ReportQueries): void {
  serve(server, transactionsRoute, async ({ params }) => {
    const { text, isSettled } = await reports.transactions(fromHexLenient(params.hash));
    return new JsonText(text, { isSettled });
  });
}

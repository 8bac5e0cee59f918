import { metricsRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import { serve } from "./serve.js";

/** `GET /metrics` in Prometheus' text form. @spec 50 §6.6 */
export function registerMetrics(server: FastifyInstance, metrics: () => Promise<string>): void {
  serve(server, metricsRoute, metrics);
}

import type { FastifyInstance } from "fastify";

/** `GET /metrics` in Prometheus' text form. @spec 50 §6.6 */
export function registerMetrics(server: FastifyInstance, metrics: () => Promise<string>): void {
  server.get("/metrics", async (_request, reply) =>
    reply.type("text/plain; version=0.0.4; charset=utf-8").send(await metrics()),
  );
}

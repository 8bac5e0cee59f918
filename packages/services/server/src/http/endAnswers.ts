import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether it is being closed. */
    isEnding: () => boolean;
  }
}

/**
 * Has a server that is closed wait for what its routes are still working on, if only for clients that have gone: what
 * answers are made from may be closed after it.
 *
 * @param maxMs how long it waits, once all connections are closed
 */
export function endAnswers(server: FastifyInstance, maxMs: number): void {
  const working = new Set<object>();
  let isEnding = false;
  let ended: (() => void) | undefined;
  const end = (request: object) => {
    if (working.delete(request) && working.size === 0) ended?.();
  };
  server.decorate("isEnding", () => isEnding);
  server.addHook("preClose", (done) => {
    isEnding = true;
    done();
  });
  server.addHook("preHandler", (request, reply, done) => {
    working.add(request);
    // A handler that took the answer over sends it, or a socket, by other ways.
    reply.raw.on("close", () => {
      if (reply.sent) end(request);
    });
    done();
  });
  server.addHook("onSend", (request, _reply, _payload, done) => {
    end(request);
    done();
  });
  server.addHook("onClose", async () => {
    if (working.size === 0) return;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await Promise.race([over, sleep(maxMs, undefined, { ref: false })]);
  });
}

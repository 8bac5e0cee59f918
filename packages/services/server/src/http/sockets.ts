import type { Server } from "node:http";
import websocket from "@fastify/websocket";
import { webSocketUpgrades } from "@vedette/queries/events";
import type { FastifyInstance } from "fastify";

/** Routes that are WebSockets, too. */
export interface SocketRoutes {
  readonly paths: readonly string[];
  /** Adds the routes; `wsHandler` is possible there. */
  readonly register: (scope: FastifyInstance) => void;
  /** Lets all clients go, before the server stops. */
  readonly close: () => Promise<void>;
}

/** Longest frame that a client may send. */
const maxFrameBytes = 64 << 10;

/** Serves the WebSockets of a server: all together, since only one may listen to upgrades. */
export function registerSockets(server: FastifyInstance, routes: readonly SocketRoutes[]): void {
  if (routes.length === 0) return;
  const upgrades = webSocketUpgrades(server.server, new Set(routes.flatMap(({ paths }) => paths)));
  // biome-ignore lint/nursery/noMisusedPromises: a plugin may be asynchronous, the server waits for it
  void server.register(async (scope) => {
    await scope.register(websocket, {
      options: { server: upgrades as Server, maxPayload: maxFrameBytes, perMessageDeflate: false },
      // A connection that breaks, or breaks the rules, has been ended by the library.
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => {
        void Promise.all(routes.map(({ close }) => close())).then(() => done());
      },
    });
    for (const { register } of routes) register(scope);
  });
}

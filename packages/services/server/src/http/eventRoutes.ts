import type { OutgoingHttpHeaders } from "node:http";
import type { WebSocket } from "@fastify/websocket";
import { eventCloseCodes, eventsRoute, printJson } from "@vedette/api";
import { Problem } from "@vedette/queries";
import {
  closeSocket,
  EventFilter,
  EventsError,
  type ServedEvents,
  ServerSentSink,
  type StartPlace,
  WebSocketSink,
} from "@vedette/queries/events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { keptOn } from "./holdAnswers.js";
import { describeRoute, readOurs } from "./serve.js";
import type { SocketRoutes } from "./sockets.js";

const referencePath = "/ws/events";

/** `/ws/events` as rnode has it, and `/v2/events`, on the public server. @spec 50 §1.4, §4 */
export function eventSockets(server: FastifyInstance, routes: ServedEvents): SocketRoutes {
  const [path] = eventsRoute.paths;
  describeRoute(server, eventsRoute);
  return {
    paths: [referencePath, path],
    close: async () => {
      await Promise.all([routes.hub.close(), routes.reference.close()]);
    },
    register: (scope) => {
      scope.route({
        method: "GET",
        url: referencePath,
        preHandler: async (request) => checkRoom(request, routes),
        handler: async (_request, reply) =>
          reply.code(501).type("text/plain; charset=UTF-8").send("This is a WebSocket route."),
        wsHandler: (socket, request) => {
          const kept = keptOn(request.raw.socket, server.unsent);
          const leave = takeSlot(request, routes.hub, () => socket.terminate());
          routes.reference.serve(socket, leave, kept);
        },
      });
      // A stream has no end that HEAD could come to: its head is sent without a stream.
      scope.route({
        method: "HEAD",
        url: path,
        handler: async (request, reply) => {
          startOf(request, routes);
          return reply.headers(streamHeaders).send();
        },
      });
      scope.route({
        method: "GET",
        exposeHeadRoute: false,
        url: path,
        config: { contract: eventsRoute },
        preHandler: async (request) => {
          startOf(request, routes);
          checkRoom(request, routes);
        },
        handler: (request, reply) => stream(request, reply, routes),
        wsHandler: (socket, request) => talk(socket, request, routes),
      });
    },
  };
}

interface Start {
  readonly filter: EventFilter;
  readonly after: string;
}

/** @throws {Problem} */
function startOf(request: FastifyRequest, events: ServedEvents): Start {
  const { query } = readOurs(eventsRoute, request);
  const filter = new EventFilter(query, events);
  const lastId = request.headers["last-event-id"];
  const after = query.after ?? (typeof lastId === "string" && lastId !== "" ? lastId : "newest");
  try {
    events.log.placeOf(after);
  } catch (error) {
    if (!(error instanceof EventsError)) throw error;
    const field = query.after === undefined ? "headers.last-event-id" : "query.after";
    if (error.failure.code === "cursorMalformed") throw new Problem(error.message, { field, cause: error });
  }
  return { filter, after };
}

/** @throws {Problem} when there are too many connections */
export function checkRoom(request: FastifyRequest, { hub }: Pick<ServedEvents, "hub">): void {
  const refusal = hub.isClosed ? "closed" : hub.slots.refusal(request.ip);
  if (refusal === undefined) return;
  // To a plain request of rnode's route its usual answer is given.
  if (request.ws === false && request.routeOptions.url === referencePath) return;
  if (refusal === "perAddress")
    throw new Problem("Your address has as many event connections as one may have; close some.", {
      status: 429,
      retryAfterSeconds: 30,
    });
  throw new Problem("The node has as many event connections as it may have; try again later.", {
    status: 503,
    retryAfterSeconds: 30,
  });
}

/** Counts a connection that receives events from now on. For the chain it is no request that goes on. */
export function takeSlot(request: FastifyRequest, { slots }: ServedEvents["hub"], close: () => void): () => void {
  request.endRead?.();
  return slots.take(request.ip, close);
}

const streamHeaders = {
  "content-type": "text/event-stream; charset=UTF-8",
  "cache-control": "no-store",
  // Proxies are not to collect events.
  "x-accel-buffering": "no",
};

/** Server-sent events. */
function stream(request: FastifyRequest, reply: FastifyReply, routes: ServedEvents): FastifyReply | undefined {
  const { filter, after } = startOf(request, routes);
  let place: StartPlace;
  try {
    place = routes.log.placeOf(after);
  } catch (error) {
    if (error instanceof EventsError) return refuseCursor(reply, error);
    throw error;
  }
  reply.hijack();
  const { raw } = reply;
  // No later event would report that its client has left.
  if (raw.destroyed) return undefined;
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...streamHeaders,
  });
  const leave = takeSlot(request, routes.hub, () => raw.destroy());
  raw.once("close", leave);
  const kept = keptOn(request.raw.socket, request.server.unsent);
  routes.hub.serve(new ServerSentSink(raw, kept), filter, place);
  return undefined;
}

function refuseCursor(reply: FastifyReply, error: EventsError): FastifyReply {
  const { message, failure } = error;
  if (failure.code === "cursorAhead") throw new Problem(message, { status: 503, retryAfterSeconds: 1, cause: error });
  const oldest = "oldest" in failure ? { oldest: failure.oldest } : {};
  const problem = { type: "about:blank", title: "Gone", status: 410, detail: message, code: failure.code, ...oldest };
  return reply
    .code(410)
    .type("application/problem+json")
    .send(Buffer.from(printJson(problem)));
}

/** Serves a WebSocket. Browsers hide why an upgrade was refused, so the stream itself reports that a cursor is gone. */
function talk(socket: WebSocket, request: FastifyRequest, routes: ServedEvents): void {
  const { filter, after } = startOf(request, routes);
  const leave = takeSlot(request, routes.hub, () => socket.terminate());
  socket.once("close", leave);
  try {
    const place = routes.log.placeOf(after);
    const { socket: connection } = request.raw;
    const kept = keptOn(connection, request.server.unsent);
    routes.hub.serve(new WebSocketSink(socket, connection, routes.nowMs, kept), filter, place);
  } catch (error) {
    if (!(error instanceof EventsError)) throw error;
    const { message, failure } = error;
    const oldest = "oldest" in failure ? { oldest: failure.oldest } : {};
    socket.send(printJson({ kind: "problem", cursor: after, detail: message, code: failure.code, ...oldest }));
    const code = failure.code === "cursorAhead" ? eventCloseCodes.unavailable : eventCloseCodes.cursorGone;
    void closeSocket(socket, code, "problem");
  }
}

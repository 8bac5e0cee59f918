import { graphqlRoute } from "@vedette/api";
import {
  type Asker,
  type GraphqlReply,
  type GraphqlRequest,
  IndexBusyError,
  IndexError,
  type IndexQueries,
  LiveQueries,
} from "@vedette/indexer";
import { Problem } from "@vedette/queries";
import { countedFor, type ServedEvents } from "@vedette/queries/events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkRoom, takeSlot } from "./eventRoutes.js";
import { GraphqlSocket } from "./GraphqlSocket.js";
import { graphqlPage, isPageWanted } from "./graphqlPage.js";
import { requestOf } from "./graphqlRequest.js";
import { describeRoute } from "./serve.js";
import type { SocketRoutes } from "./sockets.js";
import { whileConnected } from "./whileConnected.js";

/** `/graphql`, also as a WebSocket. @spec 60 §4 */
export function graphqlSockets(
  server: FastifyInstance,
  index: IndexQueries,
  events: Pick<ServedEvents, "hub"> | undefined,
): SocketRoutes {
  const live = new LiveQueries(index);
  const { unsent } = server;
  const sockets = new Set<GraphqlSocket>();
  describeRoute(server, graphqlRoute);
  return {
    paths: graphqlRoute.paths,
    close: async () => {
      for (const socket of sockets) socket.close();
    },
    register: (scope) => {
      for (const url of graphqlRoute.paths) {
        scope.route({
          method: "POST",
          url,
          config: { contract: graphqlRoute },
          handler: async (request, reply) =>
            send(request, reply, await answered(index, bodyOf(request), askerOf(request, reply))),
        });
        scope.route({
          method: "GET",
          url,
          config: { contract: graphqlRoute },
          preHandler: async (request) => {
            if (request.ws && events !== undefined) checkRoom(request, events);
          },
          handler: async (request, reply) => {
            if (isPageWanted(request)) return graphqlPage(reply);
            return send(request, reply, await answered(index, queryOf(request), askerOf(request, reply)));
          },
          wsHandler: (socket, request) => {
            const leave = events === undefined ? () => {} : takeSlot(request, events.hub, () => socket.terminate());
            const made = new GraphqlSocket(socket, {
              live,
              unsent,
              client: countedFor(request.ip, everyAddress),
              answer: (asked, asker) => answered(index, asked, asker),
            });
            sockets.add(made);
            socket.once("close", () => {
              leave();
              sockets.delete(made);
            });
          },
        });
      }
    },
  };
}

/** Programs of this machine have turns as others do. */
const everyAddress = { limitsOwnMachine: true };

function askerOf({ ip }: FastifyRequest, reply: FastifyReply): Asker {
  return { signal: whileConnected(reply), client: countedFor(ip, everyAddress) };
}

/** @throws {Problem} */
async function answered(index: IndexQueries, request: GraphqlRequest, asker: Asker): Promise<GraphqlReply> {
  try {
    return await index.graphql(request, asker);
  } catch (error) {
    if (error instanceof IndexBusyError) throw new Problem(error.message, { status: 503, retryAfterSeconds: 1 });
    const message = error instanceof IndexError ? error.message : "The index does not answer now; try again later.";
    if (!(error instanceof IndexError)) throw new Problem(message, { status: 503, retryAfterSeconds: 5, cause: error });
    return { bytes: Buffer.from(JSON.stringify({ errors: [{ message }] })), isRefused: true, operation: undefined };
  }
}

/** Sends errors with status 200, as Hasura does, unless the client accepts the newer media type. */
function send(request: FastifyRequest, reply: FastifyReply, { bytes, isRefused }: GraphqlReply): FastifyReply {
  const isGraphqlResponse = (request.headers.accept ?? "").includes("application/graphql-response+json");
  const typed = reply
    .code(isGraphqlResponse && isRefused ? 400 : 200)
    .header("content-type", isGraphqlResponse ? "application/graphql-response+json; charset=utf-8" : "application/json")
    .header("cache-control", "no-store");
  return typed.send(bytes);
}

/** @throws {Problem} */
function bodyOf({ body }: FastifyRequest): GraphqlRequest {
  let read: unknown;
  try {
    read = JSON.parse(String(body));
  } catch {
    throw new Problem("body must be a JSON object with the member query.", { field: "body" });
  }
  return requestOf(read, "body");
}

function queryOf({ query }: FastifyRequest): GraphqlRequest {
  const { variables, ...rest } = query as Record<string, unknown>;
  if (typeof variables !== "string") return requestOf(rest, "query");
  try {
    return requestOf({ ...rest, variables: JSON.parse(variables) }, "query");
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("query.variables must be a JSON object.", { field: "query.variables" });
  }
}

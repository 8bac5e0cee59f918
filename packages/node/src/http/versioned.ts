import { apiStatusBody, printJson } from "@vedette/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../query/ApiError.js";
import type { ApiQueries } from "../query/apiQueries.js";
import { submitDeploy } from "./deploy.js";
import { proposeNow } from "./propose.js";
import { BodyError, readBody } from "./requestBody.js";
import { sendJson, whileConnected } from "./server.js";

type WithBody = { Body: string | undefined };

/** The routes below `/api/v1` that both servers have. @spec 50 §1.10, §2 */
export function registerVersioned(server: FastifyInstance, queries: ApiQueries): void {
  const { status, blocks, deploys, explore } = queries;
  void server.register(
    async (versioned) => {
      versioned.setErrorHandler(answerError);
      versioned.get("/status", (_request, reply) =>
        sendJson(reply, printJson(apiStatusBody(status.now(), status.network))),
      );
      versioned.get("/blocks", (_request, reply) => sendJson(reply, blocks.newestBlocks(1)));
      versioned.get<{ Params: { hash: string } }>("/block/:hash", (request, reply) =>
        sendJson(reply, blocks.block(request.params.hash)),
      );
      versioned.post<WithBody>("/deploy", async (request, reply) =>
        sendJson(reply, await submitDeploy(deploys, request.body)),
      );
      versioned.post<WithBody>("/explore-deploy", async (request, reply) => {
        const term = readBody(request.body, (body) => body.text());
        const program = { term, blockHash: "", usePreStateHash: false };
        return sendJson(reply, await explore.atBlock(program, whileConnected(reply), "tagged"));
      });
    },
    { prefix: "/api/v1" },
  );
}

/** `GET /api/v1/propose` of the operator's server. @spec 50 §2.1 */
export function registerVersionedPropose(server: FastifyInstance, { proposals }: ApiQueries): void {
  void server.register(
    async (versioned) => {
      versioned.setErrorHandler(answerError);
      versioned.get("/propose", async (_request, reply) => sendJson(reply, await proposeNow(proposals)));
    },
    { prefix: "/api/v1" },
  );
}

/** Errors are arrays of texts: status 400 where the request cannot be read, else 500. @spec 50 §1.10 */
function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof BodyError) return sendJson(reply.code(400), JSON.stringify([error.wholeText]));
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return sendJson(reply.code(error instanceof ApiError ? 500 : statusCode), JSON.stringify([message]));
}

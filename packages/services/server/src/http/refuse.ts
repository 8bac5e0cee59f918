import { STATUS_CODES } from "node:http";
import { errorText } from "@vedette/errors";
import { ApiError, type ApiErrorReason, Overload, Problem } from "@vedette/queries";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpConventions } from "./conventions/HttpConventions.js";
import { BodyError } from "./requestBody.js";

/** The parts of a refusal. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly field?: string | undefined;
}

/** Answers an error in the form of the route that it happened on. @spec 50 §1.3, §1.10 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = request.routeOptions.config?.contract?.refusals ?? conventionsOf(request).formOfPath(request.url);
  if ((error instanceof Problem || error instanceof Overload) && error.retryAfterSeconds !== undefined)
    reply.header("retry-after", String(error.retryAfterSeconds));
  switch (form) {
    case "problem":
      return sendProblem(reply, problemOf(error));
    case "texts":
      return sendText(reply.code(textsStatus(error)), [
        error instanceof BodyError ? error.wholeText : errorText(error),
      ]);
    case "text":
      return sendText(reply.code(textStatus(error)), errorText(error));
    case "kind":
      return sendKind(reply, error);
  }
}

function conventionsOf({ server }: FastifyRequest): HttpConventions {
  return server.conventions;
}

/** Refuses a path that is none of Vedette's own routes. */
export function sendNoRoute(reply: FastifyReply): FastifyReply {
  const message = "There is no such route; /openapi.json and /docs list those there are.";
  return sendProblem(reply, { status: 404, message });
}

function sendProblem(reply: FastifyReply, { status, message, field }: Refusal): FastifyReply {
  const problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Refused",
    status,
    detail: message,
    field,
  };
  return reply
    .code(status)
    .header("content-type", "application/problem+json")
    .send(Buffer.from(JSON.stringify(problem)));
}

/** A node-side failure has no words for clients. @spec 50 §1.14, §10.2 */
export function sendKind(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, kind } = kindOf(error);
  const { message } = problemOf(error);
  return reply
    .code(status)
    .header("content-type", "application/json")
    .send(Buffer.from(JSON.stringify({ error: kind, message })));
}

interface ReportedKind {
  readonly status: number;
  readonly kind: string;
}

function kindOf(error: unknown): ReportedKind {
  const { status } = problemOf(error);
  if (error instanceof Problem && error.kind !== undefined) return { status, kind: error.kind };
  if (error instanceof BodyError || status === 413) return { status, kind: "invalid_request_body" };
  if (error instanceof Overload) return { status, kind: "observer_busy" };
  if (error instanceof ApiError && error.reason !== undefined) return kinds[error.reason];
  switch (status) {
    case 404:
      return { status, kind: "endpoint_not_found" };
    case 429:
      return { status, kind: "too_many_requests" };
    default:
      return { status, kind: status < 500 ? "illegal_argument" : "runtime_error" };
  }
}

/** @spec 50 §10.2 */
const kinds: { readonly [reason in ApiErrorReason]: ReportedKind } = {
  notRunning: { status: 503, kind: "runtime_error" },
  invalidHash: { status: 400, kind: "invalid_hash" },
  unknownBlock: { status: 404, kind: "block_not_found" },
  unknownDeploy: { status: 404, kind: "deploy_not_found" },
  unreadableTerm: { status: 400, kind: "rholang_bad_term" },
  readOnlyWanted: { status: 400, kind: "readonly_node_required" },
  nothingToPropose: { status: 409, kind: "no_new_deploys" },
  programStopped: { status: 504, kind: "exploratory_timeout" },
  failed: { status: 500, kind: "runtime_error" },
};

function sendText(reply: FastifyReply, body: string | readonly string[]): FastifyReply {
  return reply.header("content-type", "application/json").send(Buffer.from(JSON.stringify(body)));
}

function problemOf(error: unknown): Refusal {
  if (error instanceof Problem) return { status: error.status, message: error.message, field: error.field };
  if (error instanceof BodyError) return { status: 400, message: error.message, field: "body" };
  if (error instanceof ApiError) return { status: statusOf(error) ?? 400, message: error.message };
  const status = statusOf(error) ?? 500;
  // Internal failures are for the log, not for clients.
  return { status, message: status === 500 ? "The node could not answer; its log says why." : errorText(error) };
}

function textStatus(error: unknown): number {
  const status = statusOf(error) ?? 400;
  return status === 500 ? 400 : status;
}

function textsStatus(error: unknown): number {
  if (error instanceof BodyError) return 400;
  return statusOf(error) ?? 500;
}

/** The status of a refusal, Vedette's or the server's own: a body that is too large, or what is no request. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof Problem) return error.status;
  if (error instanceof Overload) return error.isOfClient ? 429 : 503;
  const { statusCode } = error as { readonly statusCode?: unknown };
  return typeof statusCode === "number" ? statusCode : undefined;
}

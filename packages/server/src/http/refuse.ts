import { STATUS_CODES } from "node:http";
import { errorText } from "@vedette/errors";
import { ApiError, Overload, Problem } from "@vedette/queries";
import type { FastifyReply, FastifyRequest } from "fastify";
import { forgetOrigin } from "./crossOrigin.js";
import { BodyError } from "./requestBody.js";

/** What a refusal is made from. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly field?: string | undefined;
}

/** Answers an error in the form of the route that it happened on. @spec 50 §1.3, §1.10 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = request.routeOptions.config?.contract?.refusals ?? formOfPath(request.url);
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

/** There is no such route: the reference's words, except below `/v2`. @spec 50 §1.1 */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (formOfPath(request.url) === "problem") {
    const message = "There is no such route; /openapi.json and /docs tell which there are.";
    return sendProblem(reply, { status: 404, message });
  }
  forgetOrigin(reply);
  return reply.code(404).type("text/plain; charset=UTF-8").send("Not found");
}

/** For what happens outside of any route. */
export function formOfPath(path: string): "text" | "texts" | "problem" {
  if (/^\/+v2(\/|\?|$)/.test(path)) return "problem";
  return path.startsWith("/api/v1/") ? "texts" : "text";
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

/** A node-side failure has no words for strangers. @spec 50 §1.14 */
function sendKind(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message } = problemOf(error);
  const isNotRunning = error instanceof ApiError && !(error instanceof BodyError || error instanceof Overload);
  const told = isNotRunning ? 503 : status;
  return reply
    .code(told)
    .header("content-type", "application/json")
    .send(Buffer.from(JSON.stringify({ error: kindOf(error, told), message })));
}

function kindOf(error: unknown, status: number): string {
  if (error instanceof Problem && error.kind !== undefined) return error.kind;
  if (error instanceof BodyError) return "invalid_request_body";
  if (error instanceof Overload) return "observer_busy";
  switch (status) {
    case 404:
      return "endpoint_not_found";
    case 413:
      return "invalid_request_body";
    case 429:
      return "too_many_requests";
    default:
      return status < 500 ? "illegal_argument" : "runtime_error";
  }
}

function sendText(reply: FastifyReply, body: string | readonly string[]): FastifyReply {
  return reply.header("content-type", "application/json").send(Buffer.from(JSON.stringify(body)));
}

function problemOf(error: unknown): Refusal {
  if (error instanceof Problem) return { status: error.status, message: error.message, field: error.field };
  if (error instanceof BodyError) return { status: 400, message: error.message, field: "body" };
  if (error instanceof ApiError) return { status: statusOf(error) ?? 400, message: error.message };
  const status = statusOf(error) ?? 500;
  // What went wrong inside is for the log, not for strangers.
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

/** A refusal of ours, or of the server itself: a body that is too large, a request that is none. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof Problem) return error.status;
  if (error instanceof Overload) return error.isOfClient ? 429 : 503;
  const { statusCode } = error as { readonly statusCode?: unknown };
  return typeof statusCode === "number" ? statusCode : undefined;
}

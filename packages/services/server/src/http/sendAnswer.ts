import type { RouteContract } from "@vedette/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonText } from "./JsonText.js";

/** How long a settled answer is kept: its facts about an equivocator may still become known. @spec 50 §1.7 */
const settledSeconds = 86_400;
const foreverSeconds = 31_536_000;

/**
 * Sends an answer with its cache lifetime. JSON has no charset: rnode names none.
 *
 * @spec 50 §1.1
 */
export function sendAnswer(
  contract: Pick<RouteContract, "method" | "changes"> & { readonly answer: { readonly type?: string } },
  request: FastifyRequest,
  reply: FastifyReply,
  { printed, isSettled, status }: JsonText,
): FastifyReply {
  const { type = "application/json" } = contract.answer;
  const body = printed.bytes;
  reply.code(status).header("content-type", type.startsWith("text/") ? `${type}; charset=UTF-8` : type);
  const isKept = contract.method === "GET" && status === 200 && (contract.changes !== "always" || isSettled);
  if (!isKept) return reply.send(body);
  // Weak: the same content may come compressed.
  const tag = `W/"${printed.tag}"`;
  reply.header("etag", tag).header("cache-control", cacheControl(contract.changes, isSettled));
  return isKnown(request.headers["if-none-match"], tag) ? reply.code(304).send() : reply.send(body);
}

function cacheControl(changes: RouteContract["changes"], isSettled: boolean): string {
  if (changes === "never") return `public, max-age=${foreverSeconds}, immutable`;
  return isSettled ? `public, max-age=${settledSeconds}, immutable` : "no-cache";
}

export function isKnown(asked: string | undefined, tag: string): boolean {
  if (asked === undefined) return false;
  const bare = tag.slice(2);
  return asked.split(",", 64).some((one) => {
    const known = one.trim();
    return known === "*" || known === bare || known === tag;
  });
}

import type { FastifyReply, onSendHookHandler } from "fastify";
import { Compressions, type Encoding } from "./Compressions.js";

/** Shorter answers are sent as they are. */
const minBytes = 1_024;
const compressible = /^(application\/(problem\+)?json|text\/(plain|html|css|javascript))/;

/**
 * Compresses answers if clients request it, off the main thread, unless there is too much to compress just then. The
 * reference does not; a client without that request gets the same bytes as from it.
 *
 * @spec 50 §1.1
 */
export function compressAnswers(compressions = new Compressions()): onSendHookHandler {
  return (request, reply, payload, done) => {
    const encoding = encodingOf(request.headers["accept-encoding"]);
    if (encoding === undefined || !isWorthIt(reply, payload)) {
      done();
      return;
    }
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Accept-Encoding" : `${String(vary)},Accept-Encoding`);
    const compressed = compressions.find(payload, encoding);
    if (compressed === undefined) {
      done();
      return;
    }
    reply.header("content-encoding", encoding).removeHeader("content-length");
    compressed.then((bytes) => done(null, bytes), done);
  };
}

function isWorthIt(reply: FastifyReply, payload: unknown): payload is Uint8Array {
  if (!(payload instanceof Uint8Array) || payload.length < minBytes || reply.hasHeader("content-encoding"))
    return false;
  return compressible.test(String(reply.getHeader("content-type")));
}

/** The better one of those that the client takes. */
export function encodingOf(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const taken = new Set<string>();
  for (const one of accepted.split(",", 16)) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : undefined;
}

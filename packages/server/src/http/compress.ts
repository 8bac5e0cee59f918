import { brotliCompress, constants, gzip } from "node:zlib";
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from "fastify";

/** Shorter answers are sent as they are. */
const leastBytes = 1_024;
const compressible = /^(application\/(problem\+)?json|text\/(plain|html|css|javascript))/;

/** Half of what is to be won, for a tenth of the time that the default takes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzipOptions = { level: 6 };

/**
 * Compresses an answer where the client asks for it, off the main thread. The reference does not; who does not ask
 * gets the same bytes as from it.
 *
 * @spec 50 §1.1
 */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): void {
  const encoding = encodingOf(request.headers["accept-encoding"]);
  if (encoding === undefined || !isWorthIt(reply, payload)) {
    done();
    return;
  }
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "Accept-Encoding" : `${String(vary)},Accept-Encoding`);
  reply.header("content-encoding", encoding).removeHeader("content-length");
  if (encoding === "br") brotliCompress(payload, brotliOptions, done);
  else gzip(payload, gzipOptions, done);
}

function isWorthIt(reply: FastifyReply, payload: unknown): payload is Uint8Array {
  if (!(payload instanceof Uint8Array) || payload.length < leastBytes || reply.hasHeader("content-encoding"))
    return false;
  return compressible.test(String(reply.getHeader("content-type")));
}

/** The better one of those that the client takes. */
export function encodingOf(accepted: string | undefined): "br" | "gzip" | undefined {
  if (accepted === undefined) return undefined;
  const taken = new Set<string>();
  for (const one of accepted.split(",", 16)) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : undefined;
}

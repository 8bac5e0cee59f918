import { headHeader, minBlockHeader, minBlockParameter } from "@vedette/api";
import { behindRetrySeconds, behindText, type ChainHead, Problem, parseMinBlock } from "@vedette/queries";
import { countedFor } from "@vedette/queries/events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Every answer contains the chain's head that it was made from; a request may require a minimum height, and waits for
 * it, or is refused.
 *
 * @spec 50 §1.16
 */
export function addChainHeadHeaders(server: FastifyInstance, head: ChainHead): void {
  server.addHook("onRequest", (request, reply, done) => {
    let asked: bigint | undefined;
    try {
      asked = requestedFor(request);
    } catch (error) {
      return done(error as Problem);
    }
    if (asked === undefined) return done();
    untilThere(head, asked, reply).then(() => done(), done);
  });
  server.addHook("onSend", (_request, reply, _payload, done) => {
    // No client reads the answer; the chain may have been closed.
    if (reply.raw.destroyed) return done();
    const text = head.text();
    if (text !== undefined) reply.header(headHeader, text);
    done();
  });
}

/** @throws {Problem} where the chain does not come so far in time */
async function untilThere(head: ChainHead, asked: bigint, reply: FastifyReply): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once("close", leave);
  const isThere = await head.reaches(asked, gone.signal, countedFor(reply.request.ip, { limitsOwnMachine: true }));
  reply.raw.off("close", leave);
  if (isThere) return;
  throw new Problem(behindText(asked, head.now()), { status: 503, retryAfterSeconds: behindRetrySeconds });
}

/** @throws {Problem} where it is none */
function requestedFor(request: FastifyRequest): bigint | undefined {
  const inQuery = (request.query as Readonly<Record<string, unknown>> | undefined)?.[minBlockParameter];
  const text = inQuery ?? request.headers[minBlockHeader];
  if (text === undefined) return undefined;
  const number = typeof text === "string" ? parseMinBlock(text) : undefined;
  if (number !== undefined) return number;
  const field = inQuery === undefined ? `headers.${minBlockHeader}` : `query.${minBlockParameter}`;
  throw new Problem(`${field} must be the number of a block.`, { field });
}

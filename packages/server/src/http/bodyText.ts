import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the body; `undefined` for UTF-8. */
    bodyCharset: string | undefined;
  }
}

/**
 * Makes every body a text, whatever its type says: the reference looks at nothing but the charset.
 *
 * @spec 50 §1.1
 */
export function readBodiesAsText(server: FastifyInstance): void {
  server.decorateRequest("bodyCharset", undefined);
  // A type that is none would be refused before anybody reads the body.
  server.addHook("onRequest", (request, _reply, done) => {
    const type = contentTypeOf(request);
    if (type !== undefined) {
      request.bodyCharset = charsetOf(type);
      types.set(request.raw, type);
      delete request.headers["content-type"];
    }
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => done(null, textOf(request, body)));
}

/** Types that were taken out of their requests: another server of this process may have the request after us. */
const types = new WeakMap<IncomingMessage, string>();

/** What a request says of its body; `undefined` where it says nothing. */
export function contentTypeOf({ headers, raw }: FastifyRequest): string | undefined {
  return headers["content-type"] ?? types.get(raw);
}

function textOf({ bodyCharset }: FastifyRequest, body: string | Buffer): string {
  if (typeof body === "string") return body;
  return bodyCharset === undefined ? body.toString("utf8") : new TextDecoder(bodyCharset).decode(body);
}

function charsetOf(contentType: string): string | undefined {
  const name = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]?.toLowerCase();
  if (name === undefined || name === "utf-8" || name === "utf8") return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

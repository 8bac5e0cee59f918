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
    const { headers } = request;
    if (headers["content-type"] !== undefined) {
      request.bodyCharset = charsetOf(headers["content-type"]);
      delete headers["content-type"];
    }
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => done(null, textOf(request, body)));
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

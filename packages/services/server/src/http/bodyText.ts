import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { CallPlaces, type HeldCall } from "@vedette/queries";
import { countedFor } from "@vedette/queries/events";
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from "fastify";
import type { HttpLimits } from "./HttpLimits.js";
import { readBody } from "./readBody.js";
import { whenOver } from "./whileConnected.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The charset of the body; `undefined` for UTF-8. */
    bodyCharset: string | undefined;
    /** The place that counts its body; `undefined` if it has none. */
    bodyPlace: HeldCall | undefined;
  }
  interface FastifyInstance {
    /** Bytes of the bodies that are being read or worked on. */
    heldBodyBytes: () => number;
  }
}

/** Number of bodies of the largest size that are held at a time, or many more smaller ones. */
const largestBodies = 4;

/**
 * Reads every body as text, whatever its content type: rnode uses only the charset. All bodies together have a bound;
 * beyond it the client with most loses its largest request to a client with fewer.
 *
 * @spec 50 §1.1, §1.12
 */
export function readBodiesAsText(server: FastifyInstance, { bodyBytes }: Pick<HttpLimits, "bodyBytes">): void {
  const places = new CallPlaces({ maxCalls: Number.POSITIVE_INFINITY, maxBytes: largestBodies * bodyBytes });
  server.decorate("heldBodyBytes", () => places.bytes);
  server.decorateRequest("bodyCharset", undefined);
  // The header is removed, since Fastify would refuse an invalid content type before the body is read.
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
  server.decorateRequest("bodyPlace", undefined);
  server.addHook("preParsing", takePlace(places));
  server.addContentTypeParser("*", async (request: FastifyRequest, body: Readable) =>
    textOf(request, await heldBody(request, body, bodyBytes)),
  );
}

/** Gives a request with a body a place among those of its client, until it is over. */
function takePlace(places: CallPlaces): preParsingHookHandler {
  return (request, reply, body, done) => {
    const { "content-length": announced, "transfer-encoding": encoding } = request.headers;
    if (encoding !== undefined || (announced !== undefined && announced !== "0")) {
      const { socket } = request.raw;
      // Programs of this machine are counted as others are: it is about room, not about trust.
      const client = countedFor(request.ip, { limitsOwnMachine: true });
      const place = places.take(client, () => void socket.destroy());
      request.bodyPlace = place;
      whenOver(reply, () => place?.leave());
    }
    done(null, body);
  };
}

/** @throws as {@link readBody} */
function heldBody({ headers, bodyPlace }: FastifyRequest, body: Readable, maxBytes: number): Promise<Buffer> {
  const { "content-length": announced } = headers;
  return readBody(body, {
    maxBytes,
    announcedBytes: announced === undefined ? undefined : Number(announced),
    hold: (bytes) => bodyPlace?.hold(bytes) ?? false,
  });
}

/** Types that were taken out of their requests: another server of this process may have the request after us. */
const types = new WeakMap<IncomingMessage, string>();

/** Returns the content type of a request's body; `undefined` if it states none. */
export function contentTypeOf({ headers, raw }: FastifyRequest): string | undefined {
  return headers["content-type"] ?? types.get(raw);
}

function textOf({ bodyCharset }: FastifyRequest, body: Buffer): string {
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

import type { Readable } from "node:stream";
import { Problem } from "@vedette/queries";
import { errorCodes } from "fastify";

/** What a body may be. */
export interface BodyBounds {
  readonly mostBytes: number;
  /** As its request says; `undefined` where it says nothing. */
  readonly announcedBytes: number | undefined;
  /** Counts what is held of it from now on. @returns whether there is room for that */
  readonly hold: (bytes: number) => boolean;
}

const firstBytes = 4 << 10;
/** Parts of a body beyond which they have to be of so many bytes on the average: each one costs time by itself. */
const freeParts = 1_024;
const leastBytesOfPart = 256;

/**
 * Reads a body into one piece of memory, which grows with what has come: what a request announces costs nothing, and
 * many small parts cost no more than a few large ones.
 *
 * @throws Error with a `statusCode` when it is too long, of another length than announced, or there is no room for it;
 *   what the stream fails with
 */
export function readBody(body: Readable, { mostBytes, announcedBytes, hold }: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    let [length, parts] = [0, 0];
    const end = (error?: Error) => {
      body.off("data", onData).off("end", onEnd).off("error", end);
      if (error === undefined) resolve(held.subarray(0, length));
      else reject("statusCode" in error ? error : Object.assign(error, { statusCode: 400 }));
    };
    const onData = (part: Buffer) => {
      parts += 1;
      length += part.length;
      if (length > mostBytes) return end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (parts > freeParts + length / leastBytesOfPart) return end(new Problem(inSmallParts, { status: 413 }));
      if (length > held.length) {
        const wanted = Math.min(mostBytes, Math.max(length, 2 * held.length, firstBytes));
        if (!hold(wanted - held.length)) return end(new Problem(noRoom, { status: 503, retryAfterSeconds: 1 }));
        const larger = Buffer.allocUnsafeSlow(wanted);
        held.copy(larger, 0, 0, length - part.length);
        held = larger;
      }
      part.copy(held, length - part.length);
    };
    const onEnd = () => {
      const isWhole = announcedBytes === undefined || announcedBytes === length;
      end(isWhole ? undefined : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    };
    if (announcedBytes !== undefined && announcedBytes > mostBytes) {
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    body.on("data", onData).on("end", onEnd).on("error", end);
  });
}

const inSmallParts = "The body comes in too many small parts.";
const noRoom = "Too many large requests are under way; try again later.";

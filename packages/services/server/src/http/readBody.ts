import type { Readable } from "node:stream";
import { Problem } from "@vedette/queries";
import { errorCodes } from "fastify";

/** What a body may be. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** As its request says; `undefined` where it says nothing. */
  readonly announcedBytes: number | undefined;
  /** Counts what is held of it from now on. @returns whether there is room for that */
  readonly hold: (bytes: number) => boolean;
}

const firstBytes = 4 << 10;
const maxBytesOfPiece = 1 << 20;
/** Parts of a body beyond which they have to be of so many bytes on the average: each one costs time by itself. */
const freeParts = 1_024;
const minBytesOfPart = 256;

/**
 * Reads a body. Memory grows with what has come, and nothing that has come is moved before all of it is there: what a
 * request announces costs nothing, and many small parts cost no more than a few large ones. A body that is
 * refused is paused: nobody wants its rest.
 *
 * @throws Error with a `statusCode` when it is too long, of another length than announced, or there is no room for it;
 *   what the stream fails with
 */
export function readBody(body: Readable, { maxBytes, announcedBytes, hold }: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    /** Of the last piece. */
    let free = 0;
    let [length, parts] = [0, 0];
    const end = (error?: Error) => {
      body.off("data", onData).off("end", onEnd).off("error", end);
      if (error === undefined) resolve(wholeOf(pieces, length));
      else reject("statusCode" in error ? error : Object.assign(error, { statusCode: 400 }));
    };
    const stop = (error: Error) => {
      body.pause();
      end(error);
    };
    const onData = (part: Buffer) => {
      parts += 1;
      if (length + part.length > maxBytes) return stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (parts > freeParts + length / minBytesOfPart) return stop(new Problem(inSmallParts, { status: 413 }));
      const copied = free === 0 ? 0 : part.copy(pieces.at(-1)!, pieces.at(-1)!.length - free);
      free -= copied;
      if (copied < part.length) {
        const rest = part.length - copied;
        const wanted = Math.min(
          maxBytes - length - copied,
          Math.max(rest, firstBytes, Math.min(length, maxBytesOfPiece)),
        );
        if (!hold(wanted)) return stop(new Problem(noRoom, { status: 503, retryAfterSeconds: 1 }));
        const piece = Buffer.allocUnsafeSlow(wanted);
        part.copy(piece, 0, copied);
        pieces.push(piece);
        free = wanted - rest;
      }
      length += part.length;
    };
    const onEnd = () => {
      const isWhole = announcedBytes === undefined || announcedBytes === length;
      end(isWhole ? undefined : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    };
    if (announcedBytes !== undefined && announcedBytes > maxBytes) {
      stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    body.on("data", onData).on("end", onEnd).on("error", end);
  });
}

function wholeOf(pieces: readonly Buffer[], length: number): Buffer {
  return pieces.length === 1 ? pieces[0]!.subarray(0, length) : Buffer.concat(pieces, length);
}

const inSmallParts = "The body comes in too many small parts.";
const noRoom = "Too many large requests are under way; try again later.";

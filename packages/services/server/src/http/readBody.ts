import type { Readable } from "node:stream";
import { Problem } from "@vedette/queries";
import { errorCodes } from "fastify";

/** The limits of a body. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** The length that its request states; `undefined` if it states none. */
  readonly announcedBytes: number | undefined;
  /** Counts what is held of it from now on. @returns whether there is room for that */
  readonly hold: (bytes: number) => boolean;
}

const firstBytes = 4 << 10;
const maxBytesOfPiece = 1 << 20;
/** Parts of a body above which their average size has a minimum, since each part costs time. */
const freeParts = 1_024;
const minBytesOfPart = 256;

/**
 * Reads a body. Memory grows with the received bytes, not with the announced length. Parts are joined once, when all of
 * them are there, so that many small parts cost no more than a few large ones. A refused body is paused: its rest is
 * not read.
 *
 * @throws Error with a `statusCode` when it is too long, of another length than announced, or there is no room for it;
 *   what the stream fails with
 */
export function readBody(body: Readable, { maxBytes, announcedBytes, hold }: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces(maxBytes, hold);
    let parts = 0;
    const end = (error?: Error) => {
      body.off("data", onData).off("end", onEnd).off("error", end);
      if (error === undefined) resolve(pieces.whole());
      else reject("statusCode" in error ? error : Object.assign(error, { statusCode: 400 }));
    };
    const stop = (error: Error) => {
      body.pause();
      end(error);
    };
    const onData = (part: Buffer) => {
      parts += 1;
      if (pieces.length + part.length > maxBytes) return stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (parts > freeParts + pieces.length / minBytesOfPart) return stop(new Problem(inSmallParts, { status: 413 }));
      if (!pieces.add(part)) stop(new Problem(noRoom, { status: 503, retryAfterSeconds: 1 }));
    };
    const onEnd = () => {
      const isWhole = announcedBytes === undefined || announcedBytes === pieces.length;
      end(isWhole ? undefined : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    };
    if (announcedBytes !== undefined && announcedBytes > maxBytes) {
      stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    body.on("data", onData).on("end", onEnd).on("error", end);
  });
}

/** The received part of a body, in pieces that grow with it. */
class BodyPieces {
  readonly #maxBytes: number;
  readonly #hold: BodyBounds["hold"];
  readonly #pieces: Buffer[] = [];
  /** Bytes of the last piece that are free. */
  #free = 0;
  #length = 0;

  constructor(maxBytes: number, hold: BodyBounds["hold"]) {
    [this.#maxBytes, this.#hold] = [maxBytes, hold];
  }

  get length(): number {
    return this.#length;
  }

  /** @returns whether there was room for it */
  add(part: Buffer): boolean {
    const last = this.#pieces.at(-1);
    const copied = last === undefined || this.#free === 0 ? 0 : part.copy(last, last.length - this.#free);
    this.#free -= copied;
    if (copied < part.length && !this.#addPiece(part.subarray(copied), this.#length + copied)) return false;
    this.#length += part.length;
    return true;
  }

  #addPiece(rest: Buffer, before: number): boolean {
    const usual = Math.max(rest.length, firstBytes, Math.min(this.#length, maxBytesOfPiece));
    const wanted = Math.min(this.#maxBytes - before, usual);
    if (!this.#hold(wanted)) return false;
    const piece = Buffer.allocUnsafeSlow(wanted);
    rest.copy(piece);
    this.#pieces.push(piece);
    this.#free = wanted - rest.length;
    return true;
  }

  whole(): Buffer {
    return this.#pieces.length === 1
      ? this.#pieces[0]!.subarray(0, this.#length)
      : Buffer.concat(this.#pieces, this.#length);
  }
}

const inSmallParts = "The body comes in too many small parts.";
const noRoom = "Too many large requests are under way; try again later.";

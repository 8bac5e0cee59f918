import { brotliCompress, constants, gzip } from "node:zlib";

/** How answers are compressed. */
export type Encoding = "br" | "gzip";

/** Compresses one answer. */
export type Compress = (answer: Uint8Array, encoding: Encoding) => Promise<Uint8Array>;

/** The limit of all answers that are compressed at one time. */
const usualMostBytes = 8 << 20;

/** Half of what is to be won, for a tenth of the time that the default takes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzipOptions = { level: 6 };

/**
 * Compresses answers off the main thread: each once for all clients that get the same one, and only a bounded amount at
 * one time. Compressing a large answer takes a second and may leave next to nothing of it, so that a bound on sent
 * bytes would not limit a client that repeats the request.
 */
export class Compressions {
  readonly #maxBytes: number;
  readonly #compress: Compress;
  readonly #made = new WeakMap<Uint8Array, Partial<Record<Encoding, Promise<Uint8Array>>>>();
  #bytes = 0;

  constructor(maxBytes: number = usualMostBytes, compress: Compress = compressNow) {
    this.#maxBytes = maxBytes;
    this.#compress = compress;
  }

  /** @returns `undefined` where too much is being compressed: the answer is sent as it is */
  find(answer: Uint8Array, encoding: Encoding): Promise<Uint8Array> | undefined {
    const known = this.#made.get(answer)?.[encoding];
    if (known !== undefined) return known;
    if (this.#bytes > 0 && this.#bytes + answer.length > this.#maxBytes) return undefined;
    this.#bytes += answer.length;
    const made = this.#compress(answer, encoding).finally(() => {
      this.#bytes -= answer.length;
    });
    this.#made.set(answer, { ...this.#made.get(answer), [encoding]: made });
    return made;
  }
}

function compressNow(answer: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, compressed: Uint8Array) =>
      error === null ? resolve(compressed) : reject(error);
    if (encoding === "br") brotliCompress(answer, brotliOptions, done);
    else gzip(answer, gzipOptions, done);
  });
}

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { SnapshotError } from "../SnapshotError.js";
import type { SnapshotStorage, StoredFile } from "./SnapshotStorage.js";
import { isAbsent, isPassing, reasonOf } from "./s3Failures.js";
import { type ThroughputWatchdog, withMinThroughput } from "./ThroughputWatchdog.js";

/** Where a bucket is, and how long one waits for it. */
export interface S3Options {
  /** The endpoint of a server that is not Amazon's, such as `http://127.0.0.1:9000`. */
  readonly endpoint?: string | undefined;
  /** Without, that of the environment or of the profile; `us-east-1` where an endpoint is given and no region. */
  readonly region?: string | undefined;
  /** Tries of one request, the first included. */
  readonly tries?: number;
  /** Before the second try; each wait is twice as long as the one before, and up to half of it shorter by chance. */
  readonly firstWaitMs?: number;
  /** The time that a request may go on without {@link minBytes} coming or going. */
  readonly patienceMs?: number;
}

const usualTries = 5;
const usualFirstWaitMs = 300;
const usualPatienceMs = 30_000;
/** This many bytes come or go within the patience, or the request is ended. */
const minBytes = 64 << 10;
const connectMs = 10_000;
/** The maximum of pages, of a thousand files each. */
const maxPages = 10_000;

/**
 * Snapshots in a bucket of an S3 store, below a prefix. Credentials come from where all programs for S3 look for them:
 * environment, files, the machine's role.
 *
 * A failure that may pass is tried again, a few times with growing pauses; any other failure is thrown at once.
 */
export class S3Storage implements SnapshotStorage {
  readonly label: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;
  readonly #tries: number;
  readonly #firstWaitMs: number;
  readonly #patienceMs: number;

  /** @param prefix ends with `/`, or is empty */
  constructor(bucket: string, prefix: string, options: S3Options = {}) {
    this.label = `s3://${bucket}/${prefix}`;
    [this.#bucket, this.#prefix] = [bucket, prefix];
    this.#client = new S3Client(clientConfig(options));
    this.#tries = options.tries ?? usualTries;
    this.#firstWaitMs = options.firstWaitMs ?? usualFirstWaitMs;
    this.#patienceMs = options.patienceMs ?? usualPatienceMs;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    const command = () => new PutObjectCommand({ ...this.#at(name), Body: bytes, ContentLength: bytes.length });
    // The client does not report how much of a body is sent: the limit covers all parts at once.
    const patienceMs = this.#patienceMs * (1 + bytes.length / minBytes);
    return this.#try(async () => {
      await withMinThroughput(patienceMs, 0, ({ signal }) => this.#client.send(command(), { abortSignal: signal }));
    });
  }

  get(name: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const command = new GetObjectCommand(this.#at(name));
    const read = async (patience: ThroughputWatchdog) => {
      const { Body, ContentLength = 0 } = await this.#client.send(command, { abortSignal: patience.signal });
      return readBody(Body as S3Body | undefined, ContentLength, { maxBytes, patience });
    };
    return this.#try(() => withMinThroughput(this.#patienceMs, minBytes, read, signal), undefined);
  }

  has(name: string): Promise<boolean> {
    const command = new HeadObjectCommand(this.#at(name));
    return this.#try(async () => {
      await withMinThroughput(this.#patienceMs, 0, ({ signal }) => this.#client.send(command, { abortSignal: signal }));
      return true;
    }, false);
  }

  async list(beginning: string): Promise<readonly StoredFile[]> {
    const found: StoredFile[] = [];
    let token: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { Contents = [], NextContinuationToken } = await this.#page(beginning, token);
      for (const { Key, Size, LastModified } of Contents) {
        if (Key?.startsWith(this.#prefix + beginning) !== true) continue;
        found.push({ name: Key.slice(this.#prefix.length), bytes: Size ?? 0, changedMs: LastModified?.getTime() ?? 0 });
      }
      if (NextContinuationToken === undefined || NextContinuationToken === token) return found;
      token = NextContinuationToken;
    }
    throw this.#unusable(false, `it lists more than ${maxPages * 1_000} files; give snapshots a prefix of their own`);
  }

  delete(name: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#at(name));
    return this.#try(async () => {
      await withMinThroughput(this.#patienceMs, 0, ({ signal }) => this.#client.send(command, { abortSignal: signal }));
    });
  }

  #page(beginning: string, token: string | undefined) {
    const from = { Bucket: this.#bucket, Prefix: this.#prefix + beginning, ContinuationToken: token };
    const command = new ListObjectsV2Command(from);
    return this.#try(() =>
      withMinThroughput(this.#patienceMs, 0, ({ signal }) => this.#client.send(command, { abortSignal: signal })),
    );
  }

  #at(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }

  /** @param absent the result for a missing file; without it, that is a fault */
  async #try<T>(work: () => Promise<T>, ...absent: [T] | []): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        if (isAbsent(error) && absent.length > 0) return absent[0] as T;
        const passes = isPassing(error);
        if (tried >= this.#tries || !passes) {
          const reason = passes ? `${reasonOf(error)} (tried ${tried} times)` : reasonOf(error);
          throw this.#unusable(passes, reason, error);
        }
      }
      const waitMs = this.#firstWaitMs * 2 ** (tried - 1);
      await new Promise((resolve) => setTimeout(resolve, waitMs * (1 - Math.random() / 2)));
    }
  }

  #unusable(passes: boolean, reason: string, cause?: unknown): SnapshotError {
    return new SnapshotError({ code: "placeUnusable", place: this.label, reason, passes }, { cause });
  }
}

type S3Body = AsyncIterable<Uint8Array> & { destroy(error?: Error): void };

/** @returns `undefined` for what is too long */
async function readBody(
  body: S3Body | undefined,
  declaredLength: number,
  { maxBytes, patience }: { readonly maxBytes: number; readonly patience: ThroughputWatchdog },
): Promise<Uint8Array | undefined> {
  if (body === undefined) return new Uint8Array(0);
  const { signal } = patience;
  const stop = () => body.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    if (declaredLength > maxBytes) return undefined;
    for await (const part of body) {
      patience.note(part.length);
      length += part.length;
      if (length > maxBytes) return undefined;
      parts.push(part);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function clientConfig({ endpoint: given, region }: S3Options): S3ClientConfig {
  const { env } = process;
  const endpoint = given ?? env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  const usual: S3ClientConfig = {
    maxAttempts: 1,
    // Servers of other makes support checksums where required, and no newer ones.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectMs },
  };
  const isReported = ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"].some((name) => env[name] !== undefined);
  const place = region ?? (endpoint !== undefined && !isReported ? "us-east-1" : undefined);
  return {
    ...usual,
    // Only Amazon's servers take bucket names as host names; all others take them as the beginning of a path.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(place === undefined ? {} : { region: place }),
  };
}

import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
} from "@nats-io/jetstream";
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import { readSecretFile } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { StreamError } from "./StreamError.js";
import type { StreamNames } from "./StreamNames.js";

/** How a NATS server is reached, as its users expect it. */
export interface NatsOptions {
  /** Such as `nats://127.0.0.1:4222`; any of several. */
  readonly servers: readonly string[];
  /** File with a user's JWT and seed. */
  readonly credentials?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** File with the authorities that servers' certificates are to be signed by. */
  readonly tlsCa?: string | undefined;
  readonly tlsCertificate?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** The number of replicas of a new stream. */
  readonly replicas?: number;
  /** Days that messages are kept in a stream that is made. */
  readonly keptDays?: number;
  readonly timeoutMs?: number;
}

/** The codes of an answer: a stream that is not there, and a subject that has its one message. */
const codes = { noStream: 10_059, subjectFull: 10_077 } as const;
const usualTimeoutMs = 5_000;

/** A connection with what JetStream is used by. */
export interface JetStreamConnection {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
}

/** @throws {SecretFileError} of credentials and key; else the library's error */
export async function connectJetStream(options: NatsOptions): Promise<JetStreamConnection> {
  const timeout = natsTimeoutOf(options);
  const nats = await connect(connectionOptions(options, timeout));
  try {
    return { nats, manager: await jetstreamManager(nats, { timeout }), client: jetstream(nats, { timeout }) };
  } catch (error) {
    // Left open it would try to reach its server for ever, and keep the process from ending.
    await nats.close();
    throw error;
  }
}

/** The one connection of something: made when it is first needed, anew where it was closed, and never after the end. */
export class JetStreamConnector implements AsyncDisposable {
  readonly #options: NatsOptions;
  readonly #onMade: (connection: JetStreamConnection) => void;
  #made: JetStreamConnection | undefined;
  #hasEnded = false;

  constructor(options: NatsOptions, onMade: (connection: JetStreamConnection) => void = () => {}) {
    [this.#options, this.#onMade] = [options, onMade];
  }

  /** @throws {Error} before the connection is made */
  get current(): JetStreamConnection {
    if (this.#made === undefined || this.#made.nats.isClosed()) throw new Error("it is not connected");
    return this.#made;
  }

  /** @throws as {@link connectJetStream}; {Error} after the end, also where that came meanwhile */
  async connect(): Promise<JetStreamConnection> {
    if (this.#hasEnded) return this.current;
    if (this.#made !== undefined && !this.#made.nats.isClosed()) return this.#made;
    const made = await connectJetStream(this.#options);
    if (this.#hasEnded) await made.nats.close();
    else this.#onMade(made);
    this.#made = made;
    return this.current;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.#made?.nats.close();
  }
}

/** Whether a server has answered this. */
export function isNatsAnswer(error: unknown, name: keyof typeof codes): boolean {
  return error instanceof JetStreamApiError && error.code === codes[name];
}

/** In milliseconds. */
export function natsTimeoutOf({ timeoutMs = usualTimeoutMs }: NatsOptions): number {
  return timeoutMs;
}

/** Maps errors of the library to stream errors. @throws {StreamError} `unusable`, or the work's own stream error */
export async function mapToStreamError<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unusable(server, error);
  }
}

/** Maps an error of the library to a stream error. */
export function unusable(server: string, error: unknown): StreamError {
  if (error instanceof StreamError) return error;
  return new StreamError({ code: "unusable", server, reason: natsReason(error) }, { cause: error });
}

/** Some errors of the library have a name alone. */
export function natsReason(error: unknown): string {
  return errorText(error) || (error instanceof Error ? error.name : "no reason given");
}

/** @throws {StreamError} `otherStream`: it does not keep messages as Vedette's streams do */
export function checkStream(names: StreamNames, config: StreamConfig): void {
  const isOurs =
    config.subjects.length === 1 &&
    config.subjects[0] === names.all &&
    config.max_msgs_per_subject === 1 &&
    config.discard === DiscardPolicy.New &&
    config.discard_new_per_subject === true;
  if (isOurs) return;
  const reason = "it does not keep the first message of each subject and refuse others";
  throw new StreamError({ code: "otherStream", stream: names.stream, reason });
}

function connectionOptions(options: NatsOptions, timeout: number): NodeConnectionOptions {
  const { servers, credentials, user, password, tlsCa, tlsCertificate, tlsKey } = options;
  const tls = {
    ...(tlsCa === undefined ? {} : { caFile: tlsCa }),
    ...(tlsCertificate === undefined ? {} : { certFile: tlsCertificate }),
    ...(tlsKey === undefined ? {} : { key: readSecretFile(tlsKey).toString() }),
  };
  return {
    servers: [...servers],
    name: "vedette",
    timeout,
    maxReconnectAttempts: -1,
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(readSecretFile(credentials)) }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

/** Long enough for a server that answers. */
const goodbyeMs = 1_000;

/**
 * Closes a connection a moment after the signal: what waits for a server that has gone would do so for as long as one
 * may take to answer, one question after another.
 *
 * @param connection may be closed more than once
 */
export function closeAfter(signal: AbortSignal, connection: AsyncDisposable): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const close = async () => {
    await connection[Symbol.asyncDispose]();
  };
  const begin = () => {
    timer = setTimeout(() => void close().catch(() => undefined), goodbyeMs);
  };
  signal.addEventListener("abort", begin, { once: true });
  if (signal.aborted) begin();
  return {
    [Symbol.dispose]() {
      signal.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}

import { readFileSync } from "node:fs";
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import { errorText } from "@vedette/errors";
import { StreamError } from "./StreamError.js";
import type { StreamNames } from "./StreamNames.js";
import type { StreamPort } from "./StreamPort.js";

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
  /** Of a stream that is made. */
  readonly replicas?: number;
  /** Days that messages are kept in a stream that is made. */
  readonly keptDays?: number;
  readonly timeoutMs?: number;
}

/** Of an answer: a stream that is not there, and a subject that has its one message. */
const codes = { noStream: 10_059, subjectFull: 10_077 } as const;
const usualDays = 7;
const usualTimeoutMs = 5_000;
const dayNanos = 86_400e9;

/** A stream of NATS JetStream. */
export class JetStreamPort implements StreamPort {
  readonly label: string;
  readonly #names: StreamNames;
  readonly #options: NatsOptions;
  #connection: NatsConnection | undefined;
  #manager: JetStreamManager | undefined;
  #client: JetStreamClient | undefined;

  constructor(names: StreamNames, options: NatsOptions) {
    this.label = options.servers.join(", ");
    [this.#names, this.#options] = [names, options];
  }

  get mostBytes(): number {
    const { info } = this.#connected();
    return info?.max_payload ?? 1 << 20;
  }

  open(): Promise<string> {
    return this.#try(async () => {
      await this.#connect();
      const { streams } = this.#manager!;
      try {
        const { config, created } = await streams.info(this.#names.stream);
        this.#check(config);
        return created;
      } catch (error) {
        if (!hasCode(error, codes.noStream)) throw error;
      }
      return (await streams.add(this.#config())).created;
    });
  }

  publish(subject: string, bytes: Uint8Array): Promise<boolean> {
    return this.#try(async () => {
      this.#connected();
      try {
        const ack = await this.#client!.publish(subject, bytes, {
          timeout: this.#timeoutMs,
          expect: { streamName: this.#names.stream },
        });
        return !ack.duplicate;
      } catch (error) {
        if (hasCode(error, codes.subjectFull)) return false;
        throw error;
      }
    });
  }

  find(subject: string): Promise<Uint8Array | undefined> {
    return this.#try(async () => {
      this.#connected();
      const message = await this.#manager!.streams.getMessage(this.#names.stream, { last_by_subj: subject });
      return message?.data;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? usualTimeoutMs;
  }

  #connected(): NatsConnection {
    if (this.#connection === undefined || this.#connection.isClosed()) throw new Error("it is not connected");
    return this.#connection;
  }

  async #connect(): Promise<void> {
    if (this.#connection !== undefined && !this.#connection.isClosed()) return;
    this.#connection = await connect(connectionOptions(this.#options, this.#timeoutMs));
    const options = { timeout: this.#timeoutMs };
    this.#manager = await jetstreamManager(this.#connection, options);
    this.#client = jetstream(this.#connection, options);
  }

  /** One message a subject, the first that comes; the oldest go by their age. */
  #config(): Partial<StreamConfig> & { name: string } {
    const { replicas = 1, keptDays = usualDays } = this.#options;
    return {
      name: this.#names.stream,
      subjects: [this.#names.all],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: 1,
      max_age: keptDays * dayNanos,
      num_replicas: replicas,
      allow_direct: false,
      deny_delete: true,
    };
  }

  #check(config: StreamConfig): void {
    const isOurs =
      config.subjects.length === 1 &&
      config.subjects[0] === this.#names.all &&
      config.max_msgs_per_subject === 1 &&
      config.discard === DiscardPolicy.New &&
      config.discard_new_per_subject === true;
    if (isOurs) return;
    const reason = "it does not keep the first message of each subject and refuse others";
    throw new StreamError({ code: "otherStream", stream: this.#names.stream, reason });
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StreamError) throw error;
      const reason = errorText(error) || (error instanceof Error ? error.name : "no reason is told");
      throw new StreamError({ code: "unusable", server: this.label, reason }, { cause: error });
    }
  }
}

function connectionOptions(options: NatsOptions, timeout: number): NodeConnectionOptions {
  const { servers, credentials, user, password, tlsCa, tlsCertificate, tlsKey } = options;
  const tls = {
    ...(tlsCa === undefined ? {} : { caFile: tlsCa }),
    ...(tlsCertificate === undefined ? {} : { certFile: tlsCertificate }),
    ...(tlsKey === undefined ? {} : { keyFile: tlsKey }),
  };
  return {
    servers: [...servers],
    name: "vedette",
    timeout,
    maxReconnectAttempts: -1,
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(readFileSync(credentials)) }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

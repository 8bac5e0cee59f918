import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from "@nats-io/jetstream";
import { withoutPasswords } from "@vedette/errors";
import {
  checkStream,
  connectJetStream,
  isNatsAnswer,
  type JetStreamConnection,
  type NatsOptions,
  natsTimeoutOf,
  tellingServer,
  unusable,
} from "./natsConnection.js";
import type { StreamNames } from "./StreamNames.js";
import type { StreamPort } from "./StreamPort.js";

const usualDays = 7;
const dayNanos = 86_400e9;

/** A stream of NATS JetStream. */
export class JetStreamPort implements StreamPort {
  readonly label: string;
  readonly #names: StreamNames;
  readonly #options: NatsOptions;
  #connection: JetStreamConnection | undefined;

  constructor(names: StreamNames, options: NatsOptions) {
    this.label = withoutPasswords(options.servers.join(", "));
    [this.#names, this.#options] = [names, options];
  }

  get mostBytes(): number {
    return this.#connected().nats.info?.max_payload ?? 1 << 20;
  }

  open(): Promise<string> {
    return this.#try(async () => {
      const { streams } = (await this.#connect()).manager;
      try {
        const { config, created } = await streams.info(this.#names.stream);
        checkStream(this.#names, config);
        return created;
      } catch (error) {
        if (!isNatsAnswer(error, "noStream")) throw error;
      }
      return (await streams.add(this.#config())).created;
    });
  }

  publish(subject: string, bytes: Uint8Array): Promise<boolean> {
    return this.#try(async () => {
      const { client } = this.#connected();
      try {
        const ack = await client.publish(subject, bytes, {
          timeout: natsTimeoutOf(this.#options),
          expect: { streamName: this.#names.stream },
        });
        return !ack.duplicate;
      } catch (error) {
        if (isNatsAnswer(error, "subjectFull")) return false;
        throw error;
      }
    });
  }

  tell(subject: string, bytes: Uint8Array): void {
    try {
      this.#connected().nats.publish(subject, bytes);
    } catch (error) {
      throw unusable(this.label, error);
    }
  }

  find(subject: string): Promise<Uint8Array | undefined> {
    return this.#try(async () => {
      const { streams } = this.#connected().manager;
      const message = await streams.getMessage(this.#names.stream, { last_by_subj: subject });
      return message?.data;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.nats.close();
  }

  #connected(): JetStreamConnection {
    if (this.#connection === undefined || this.#connection.nats.isClosed()) throw new Error("it is not connected");
    return this.#connection;
  }

  async #connect(): Promise<JetStreamConnection> {
    if (this.#connection === undefined || this.#connection.nats.isClosed())
      this.#connection = await connectJetStream(this.#options);
    return this.#connection;
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

  #try<T>(work: () => Promise<T>): Promise<T> {
    return tellingServer(this.label, work);
  }
}

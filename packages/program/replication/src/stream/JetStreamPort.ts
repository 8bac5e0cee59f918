import { DiscardPolicy, RetentionPolicy, StorageType, type StoredMsg, type StreamConfig } from "@nats-io/jetstream";
import { withoutPasswords } from "@vedette/errors";
import {
  checkStream,
  isNatsAnswer,
  JetStreamConnector,
  mapToStreamError,
  type NatsOptions,
  natsTimeoutOf,
  unusable,
} from "./natsConnection.js";
import type { StreamNames } from "./StreamNames.js";
import type { PublishedStream, StreamPort } from "./StreamPort.js";

const usualDays = 7;
const dayNanos = 86_400e9;
const nanosInMs = 1e6;

/** A stream of NATS JetStream. */
export class JetStreamPort implements StreamPort {
  readonly label: string;
  readonly #names: StreamNames;
  readonly #options: NatsOptions;
  readonly #connector: JetStreamConnector;

  constructor(names: StreamNames, options: NatsOptions) {
    this.label = withoutPasswords(options.servers.join(", "));
    [this.#names, this.#options] = [names, options];
    this.#connector = new JetStreamConnector(options);
  }

  get maxBytes(): number {
    return this.#connector.current.nats.info?.max_payload ?? 1 << 20;
  }

  open(): Promise<string> {
    return this.#try(async () => {
      const { streams } = (await this.#connector.connect()).manager;
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

  look(): Promise<PublishedStream> {
    return this.#try(async () => {
      const { config, created, state } = await this.#connector.current.manager.streams.info(this.#names.stream);
      const keptMs = config.max_age > 0 ? config.max_age / nanosInMs : Number.POSITIVE_INFINITY;
      return { id: created, first: state.first_seq, keptMs };
    });
  }

  publish(subject: string, bytes: Uint8Array): Promise<boolean> {
    return this.#try(async () => {
      const { client } = this.#connector.current;
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

  announce(subject: string, bytes: Uint8Array): void {
    try {
      this.#connector.current.nats.publish(subject, bytes);
    } catch (error) {
      throw unusable(this.label, error);
    }
  }

  async find(subject: string): Promise<Uint8Array | undefined> {
    return (await this.#message(subject))?.data;
  }

  async sequenceOf(subject: string): Promise<number | undefined> {
    return (await this.#message(subject))?.seq;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connector[Symbol.asyncDispose]();
  }

  #message(subject: string): Promise<StoredMsg | null> {
    return this.#try(() =>
      this.#connector.current.manager.streams.getMessage(this.#names.stream, { last_by_subj: subject }),
    );
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
    return mapToStreamError(this.label, work);
  }
}

import { RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/transport-node";
import { withoutPasswords } from "@vedette/errors";
import {
  connectJetStream,
  isNatsAnswer,
  type JetStreamConnection,
  type NatsOptions,
  natsReason,
  natsTimeoutOf,
} from "../../stream/index.js";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";

/** Where in NATS events go. */
export interface JetStreamSinkOptions extends NatsOptions {
  /** The stream's name; it is made where it is not there. */
  readonly stream: string;
  /** Subjects are `<prefix>.<kind>`. */
  readonly prefix: string;
}

const usualDays = 7;
const dayNanos = 86_400e9;
/** For this time the server recognizes a repeated message by its id. */
const doublesNanos = 3_600e9;

/**
 * Puts events into a stream of NATS JetStream, with their ids as `Nats-Msg-Id` and their keys as `Vedette-Key`: the
 * stream itself leaves doubles out that come within an hour.
 */
export class JetStreamSink implements Sink {
  readonly label: string;
  readonly maxTotal = 64;
  readonly maxConcurrent = 16;
  readonly #options: JetStreamSinkOptions;
  #connection: JetStreamConnection | undefined;

  constructor(options: JetStreamSinkOptions) {
    this.#options = options;
    this.label = `the stream ${options.stream} of ${withoutPasswords(options.servers.join(", "))}`;
  }

  open(): Promise<void> {
    return this.#try(async () => {
      const { stream, prefix } = this.#options;
      const { streams } = (await this.#connect()).manager;
      const subject = `${prefix}.>`;
      try {
        const { subjects } = (await streams.info(stream)).config;
        if (subjects.includes(subject) || subjects.includes(">")) return;
        const reason = `it keeps ${subjects.join(", ")}, and not ${subject}; give another --stream or --subject`;
        throw new SinkError({ code: "refused", place: this.label, reason });
      } catch (error) {
        if (!isNatsAnswer(error, "noStream")) throw error;
      }
      const { replicas = 1, keptDays = usualDays } = this.#options;
      await streams.add({
        ...{ name: stream, subjects: [subject], storage: StorageType.File, retention: RetentionPolicy.Limits },
        ...{ max_age: keptDays * dayNanos, duplicate_window: doublesNanos, num_replicas: replicas },
      });
    });
  }

  deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void> {
    return this.#try(async () => {
      const { client } = await this.#connect();
      const { stream, prefix } = this.#options;
      for (const { id, kind, key, body } of events) {
        signal.throwIfAborted();
        // The next one must not be there before this one is, if this one has to be sent again.
        await client.publish(`${prefix}.${kind}`, body, {
          ...{ msgID: id, expect: { streamName: stream }, timeout: natsTimeoutOf(this.#options) },
          headers: headersOf(key),
        });
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.nats.close();
  }

  async #connect(): Promise<JetStreamConnection> {
    if (this.#connection === undefined || this.#connection.nats.isClosed())
      this.#connection = await connectJetStream(this.#options);
    return this.#connection;
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SinkError) throw error;
      throw new SinkError({ code: "notTaken", place: this.label, reason: natsReason(error) }, { cause: error });
    }
  }
}

function headersOf(key: string): MsgHdrs {
  const made = headers();
  made.set("Vedette-Key", key);
  return made;
}

import { type ConsumerMessages, DeliverPolicy, type JsMsg, type StoredMsg, type StreamInfo } from "@nats-io/jetstream";
import type { Msg } from "@nats-io/transport-node";
import { withoutPasswords } from "@vedette/errors";
import {
  checkStream,
  type JetStreamConnection,
  JetStreamConnector,
  mapToStreamError,
  type NatsOptions,
  natsTimeoutOf,
  unusable,
} from "../natsConnection.js";
import { StreamError } from "../StreamError.js";
import type { StreamNames } from "../StreamNames.js";
import type { SourceMessage, StreamBounds, StreamSource } from "./StreamSource.js";

/** Messages that are requested at once; no more than these are in memory. */
const messagesAhead = 64;
/** The wait of a request for messages; then the stream's id is checked. */
const expiresMs = 1_000;
const maxSubjects = 1_000;

/** Reads a stream of NATS JetStream, and writes nothing. */
export class JetStreamSource implements StreamSource {
  readonly label: string;
  readonly #names: StreamNames;
  readonly #options: NatsOptions;
  readonly #connector: JetStreamConnector;
  #stream: string | undefined;
  readonly #subscriptions: { readonly pattern: string; readonly take: (subject: string, bytes: Uint8Array) => void }[] =
    [];
  /** Called when the server is gone. */
  #onGone: () => void = () => {};

  constructor(names: StreamNames, options: NatsOptions) {
    this.label = withoutPasswords(options.servers.join(", "));
    [this.#names, this.#options] = [names, options];
    this.#connector = new JetStreamConnector(options, (made) => this.#listen(made));
  }

  open(): Promise<StreamBounds> {
    return mapToStreamError(this.label, async () => {
      await this.#connector.connect();
      const { config, created, state } = await this.#info();
      checkStream(this.#names, config);
      this.#stream = created;
      const newest = await this.#newest();
      const bounds = { stream: created, first: Math.max(1, state.first_seq), last: state.last_seq };
      return { ...bounds, newest: newest?.seq ?? 0, newestMs: newest?.time.getTime() };
    });
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<SourceMessage> {
    const { client } = this.#connector.current;
    const consumer = await mapToStreamError(this.label, () =>
      client.consumers.get(this.#names.stream, {
        filter_subjects: [...this.#names.followed],
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
      }),
    );
    let current: ConsumerMessages | undefined;
    const stop = () => current?.stop();
    signal.addEventListener("abort", stop);
    this.#onGone = stop;
    try {
      let [last, delivery] = [from - 1, 0];
      while (!signal.aborted) {
        current = await mapToStreamError(this.label, () =>
          consumer.fetch({ max_messages: messagesAhead, expires: expiresMs }),
        );
        const before = delivery;
        for await (const message of this.#messagesOf(current)) {
          // The library repeats requests for messages that it may have had.
          if (message.seq <= last) continue;
          last = message.seq;
          delivery += 1;
          const { subject, data: bytes } = message;
          const storedMs = Number(BigInt(message.info.timestampNanos) / 1_000_000n);
          yield { sequence: last, delivery, subject, bytes, pending: message.info.pending, storedMs };
          if (signal.aborted) return;
        }
        if (delivery === before && !signal.aborted) await this.#requireSame(last);
      }
    } finally {
      signal.removeEventListener("abort", stop);
      this.#onGone = () => {};
      stop();
      await consumer.delete().catch(() => undefined);
    }
  }

  /** The messages of one request, which ends where the server sends none in time. @throws {StreamError} `unusable` */
  async *#messagesOf(request: ConsumerMessages): AsyncGenerator<JsMsg> {
    const late = setTimeout(() => request.stop(), expiresMs + natsTimeoutOf(this.#options));
    try {
      for await (const message of request) {
        clearTimeout(late);
        yield message;
      }
    } catch (error) {
      throw unusable(this.label, error);
    } finally {
      clearTimeout(late);
    }
  }

  subscribe(pattern: string, take: (subject: string, bytes: Uint8Array) => void): void {
    this.#subscriptions.push({ pattern, take });
  }

  async find(subject: string): Promise<Uint8Array | undefined> {
    return (await mapToStreamError(this.label, () => this.#last(subject)))?.data;
  }

  async sequenceOf(subject: string): Promise<number | undefined> {
    return (await mapToStreamError(this.label, () => this.#last(subject)))?.seq;
  }

  subjects(pattern: string): Promise<readonly string[]> {
    return mapToStreamError(this.label, async () => {
      const { streams } = this.#connector.current.manager;
      const { state } = await streams.info(this.#names.stream, { subjects_filter: pattern });
      return Object.keys(state.subjects ?? {}).slice(0, maxSubjects);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connector[Symbol.asyncDispose]();
  }

  #listen(made: JetStreamConnection): void {
    for (const { pattern, take } of this.#subscriptions) {
      // Without the permission to subscribe, no message comes.
      const callback = (error: Error | null, message: Msg) => {
        if (error === null) take(message.subject, message.data);
      };
      made.nats.subscribe(pattern, { callback });
    }
    void (async () => {
      for await (const { type } of made.nats.status()) if (type === "disconnect" || type === "close") this.#onGone();
    })();
  }

  /** Returns the newest of the followed messages; others may come after it. */
  async #newest(): Promise<StoredMsg | undefined> {
    const last = await Promise.all(this.#names.followed.map((subject) => this.#last(subject)));
    return last.filter((message) => message !== null).toSorted((a, b) => b.seq - a.seq)[0];
  }

  #last(subject: string): Promise<StoredMsg | null> {
    return this.#connector.current.manager.streams.getMessage(this.#names.stream, { last_by_subj: subject });
  }

  #info(): Promise<StreamInfo> {
    return this.#connector.current.manager.streams.info(this.#names.stream);
  }

  /** A stream that was lost and made again under the same name never has the next message of the old one. */
  async #requireSame(last: number): Promise<void> {
    const { created, state } = await mapToStreamError(this.label, () => this.#info());
    if (created === this.#stream && state.last_seq >= last) return;
    throw new StreamError({ code: "unusable", server: this.label, reason: "the stream was made anew" });
  }
}

import { readFileSync } from "node:fs";
import type { Producer } from "@platformatic/kafka";
import { readSecretFile } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { saslMechanisms } from "../choices.js";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";

/** Where in Kafka events go. */
export interface KafkaSinkOptions {
  /** `host:port` of brokers; one that answers names the others. */
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly tls?: boolean;
  /** Files, as for NATS. */
  readonly tlsCa?: string | undefined;
  readonly tlsCertificate?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly sasl?:
    | {
        readonly mechanism: (typeof saslMechanisms)[number];
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  readonly timeoutMs?: number;
}

type TextProducer = Producer<string, string, string, string>;

const usualTimeoutMs = 10_000;

/**
 * Puts events into a topic of Kafka: the key decides the partition, so that events of one key stay in order; the id
 * and the kind are headers. All replicas in sync have an event before it counts.
 */
export class KafkaSink implements Sink {
  readonly label: string;
  readonly maxTotal = 64;
  readonly maxConcurrent = 8;
  readonly #options: KafkaSinkOptions;
  #producer: TextProducer | undefined;

  constructor(options: KafkaSinkOptions) {
    this.#options = options;
    this.label = `the topic ${options.topic} of ${options.brokers.join(", ")}`;
  }

  open(): Promise<void> {
    return this.#try(async (producer) => {
      await producer.metadata({ topics: [this.#options.topic], autocreateTopics: true, forceUpdate: true });
    });
  }

  async deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void> {
    const { topic } = this.#options;
    const messages = events.map(({ id, kind, key, body }) => ({ topic, key, value: body, headers: { id, kind } }));
    let giveUp = () => {};
    const given = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error("it was not waited for"));
    });
    // A rejection without a waiting caller must not end the program.
    given.catch(() => {});
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      await this.#try(async (producer) => void (await Promise.race([producer.send({ messages }), given])));
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.close();
  }

  async #try(work: (producer: TextProducer) => Promise<void>): Promise<void> {
    try {
      this.#producer ??= await makeProducer(this.#options);
      await work(this.#producer);
    } catch (error) {
      // Where a partition is may have changed.
      this.#producer?.clearMetadata();
      throw new SinkError({ code: "notTaken", place: this.label, reason: reasonOf(error) }, { cause: error });
    }
  }
}

async function makeProducer(options: KafkaSinkOptions): Promise<TextProducer> {
  const { brokers, tls, tlsCa, tlsCertificate, tlsKey, sasl, timeoutMs: timeout = usualTimeoutMs } = options;
  const { Producer, ProduceAcks, stringSerializers } = await import("@platformatic/kafka");
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  const key = tlsKey === undefined ? undefined : readSecretFile(tlsKey);
  const hasTls = tls === true || tlsCa !== undefined || tlsCertificate !== undefined;
  return new Producer({
    ...{ clientId: "vedette", bootstrapBrokers: [...brokers], serializers: stringSerializers },
    ...{ acks: ProduceAcks.ALL, autocreateTopics: true, timeout, connectTimeout: timeout },
    // A topic that the first request creates is there for the second. The forwarder does and reports longer waits.
    ...{ retries: 3, retryDelay: 200 },
    ...(hasTls && { tls: { ca: read(tlsCa), cert: read(tlsCertificate), key }, tlsServerName: true }),
    ...(sasl && { sasl }),
  });
}

/** The library gathers errors of several requests in one without their facts. */
function reasonOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors.map((one: unknown) => reasonOf(one)) : [];
  return [errorText(error), ...new Set(inner)].join(": ");
}

import { createHash } from "node:crypto";
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import { emptyBytes } from "@vedette/crypto";
import { withoutPasswords } from "@vedette/errors";
import { connectJetStream, type JetStreamConnection, type NatsOptions, natsReason } from "../natsConnection.js";
import { tokenOf } from "../StreamNames.js";

/** Milliseconds that requests wait for the server; without an answer, the local count decides. */
const answerMs = 300;
/** Counts without additions for this time are dropped. */
const keptMs = 600_000;
const nanosOfMs = 1_000_000;
/** The size of all counts; the oldest go first. */
const maxBytes = 64 << 20;
/** By which a message of a stream of counters adds to its subject's count. */
const addHeader = "Nats-Incr";

/** The server's answer to one. */
interface CountAnswer {
  readonly val?: string;
  readonly error?: { readonly description?: string };
}

/**
 * Counts that a NATS server keeps for all its clients: a stream of counters (NATS 2.12 or later), in memory, a subject
 * for each key and window. The server adds and returns the sum in one step. Counts that are lost with the server begin
 * at zero again.
 */
export class JetStreamCounter implements AsyncDisposable {
  readonly #options: NatsOptions;
  readonly #stream: string;
  readonly #beginning: string;
  #ready: Promise<JetStreamConnection> | undefined;

  /** Connects at the first count. @param network the id of the network with the members that count together */
  constructor(network: string, options: NatsOptions) {
    this.#options = { ...options, timeoutMs: options.timeoutMs ?? answerMs };
    this.#stream = `VEDETTE-LIMITS_${tokenOf(network)}`;
    this.#beginning = `vedette-limits.${tokenOf(network)}`;
  }

  /** @throws {Error} where the server does not answer in time, or has no such counters */
  async add(
    key: string,
    { number, ms }: { readonly number: number; readonly ms: number },
    count: number,
  ): Promise<number> {
    // Keys and addresses of clients stay on this machine: the server receives hashes.
    const name = createHash("sha256").update(key).digest("base64url").slice(0, 24);
    const subject = `${this.#beginning}.${name}.${ms}.${number}`;
    const adding = headers();
    adding.set(addHeader, `+${count}`);
    try {
      const { nats } = await this.#whenReady();
      const { data } = await nats.request(subject, emptyBytes, { timeout: answerMs, headers: adding });
      const { val, error }: CountAnswer = JSON.parse(new TextDecoder().decode(data));
      if (val === undefined || !/^\d+$/.test(val)) throw new Error(error?.description ?? "it returned no count");
      return Number(val);
    } catch (error) {
      // Its stream may be gone with the server.
      this.#forget();
      throw new Error(`NATS at ${withoutPasswords(this.#options.servers.join(", "))}: ${natsReason(error)}`, {
        cause: error,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ready = this.#ready;
    this.#ready = undefined;
    await ready?.then(
      ({ nats }) => nats.close(),
      () => undefined,
    );
  }

  #whenReady(): Promise<JetStreamConnection> {
    this.#ready ??= this.#open();
    return this.#ready;
  }

  async #open(): Promise<JetStreamConnection> {
    const connection = await connectJetStream(this.#options);
    try {
      // Nothing happens where it is there already.
      await connection.manager.streams.add(this.#config());
    } catch (error) {
      await connection.nats.close();
      throw error;
    }
    return connection;
  }

  #forget(): void {
    const ready = this.#ready;
    this.#ready = undefined;
    void ready?.then(
      ({ nats }) => nats.close(),
      () => undefined,
    );
  }

  #config(): Partial<StreamConfig> & { name: string } {
    return {
      name: this.#stream,
      subjects: [`${this.#beginning}.>`],
      allow_msg_counter: true,
      storage: StorageType.Memory,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs_per_subject: 1,
      max_bytes: maxBytes,
      max_age: keptMs * nanosOfMs,
      num_replicas: this.#options.replicas ?? 1,
    };
  }
}

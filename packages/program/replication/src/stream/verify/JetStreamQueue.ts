import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  DiscardPolicy,
  type JsMsg,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { withoutPasswords } from "@vedette/errors";
import {
  isNatsAnswer,
  JetStreamConnector,
  mapToStreamError,
  type NatsOptions,
  natsTimeoutOf,
} from "../natsConnection.js";
import { StreamError } from "../StreamError.js";
import { tokenOf } from "../StreamNames.js";
import type { TaskLease, VerifyQueue } from "./VerifyQueue.js";

const workers = "workers";
const nanosOfMs = 1e6;
/** Tasks that are leased at a time, to all workers together. */
const maxLeased = 10_000;
const takeMs = 5_000;
/** Shorter than the library takes for a request. */
const resultsMs = 1_000;
const resultsAtOnce = 256;

/** How tasks are leased. */
export interface QueueOptions {
  readonly network: string;
  /** Milliseconds of a lease; the process that makes the queue decides for all. */
  readonly leaseMs: number;
}

/**
 * Tasks as a work queue of NATS JetStream, which keeps each until a worker has done it, and results as a stream that
 * keeps the last of each.
 */
export class JetStreamQueue implements VerifyQueue {
  readonly label: string;
  readonly #options: QueueOptions;
  readonly #nats: NatsOptions;
  readonly #names: ReturnType<typeof namesOf>;
  readonly #connector: JetStreamConnector;
  #tasks: Consumer | undefined;
  #results: Consumer | undefined;
  #leaseMs: number;

  constructor(options: QueueOptions, nats: NatsOptions) {
    this.label = withoutPasswords(nats.servers.join(", "));
    [this.#options, this.#nats, this.#names] = [options, nats, namesOf(options.network)];
    this.#leaseMs = options.leaseMs;
    this.#connector = new JetStreamConnector(nats);
  }

  get leaseMs(): number {
    return this.#leaseMs;
  }

  open(): Promise<void> {
    return this.#try(async () => {
      const { manager, client } = await this.#connector.connect();
      for (const config of this.#configs()) await this.#require(config);
      const { config } = await manager.consumers.add(this.#names.tasks, {
        durable_name: workers,
        ack_policy: AckPolicy.Explicit,
        ack_wait: await this.#leaseNanos(),
        max_ack_pending: maxLeased,
      });
      this.#leaseMs = (config.ack_wait ?? 0) / nanosOfMs;
      this.#tasks = await client.consumers.get(this.#names.tasks, workers);
      await this.#results?.delete().catch(() => undefined);
      this.#results = undefined;
    });
  }

  add(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.#try(async () => {
      try {
        await this.#publish(this.#names.task(key), bytes);
        return true;
      } catch (error) {
        if (isNatsAnswer(error, "subjectFull")) return false;
        throw error;
      }
    });
  }

  take(): Promise<TaskLease | undefined> {
    return this.#try(async () => {
      const message = await required(this.#tasks).next({ expires: takeMs });
      return message === null ? undefined : leaseOf(message);
    });
  }

  async report(key: string, bytes: Uint8Array): Promise<void> {
    await this.#try(() => this.#publish(this.#names.result(key), bytes));
  }

  results(): Promise<readonly { readonly subject: string; readonly bytes: Uint8Array }[]> {
    return this.#try(async () => {
      this.#results ??= await this.#connector.current.client.consumers.get(this.#names.results, {
        filter_subjects: [this.#names.result("*")],
        deliver_policy: DeliverPolicy.LastPerSubject,
      });
      const found: { subject: string; bytes: Uint8Array }[] = [];
      for (let before = -1; found.length > before; ) {
        before = found.length;
        const batch = await this.#results.fetch({ max_messages: resultsAtOnce, expires: resultsMs });
        for await (const { subject, data: bytes, info } of batch) {
          found.push({ subject, bytes });
          if (info.pending === 0) break;
        }
      }
      return found;
    });
  }

  async publishProgress(bytes: Uint8Array): Promise<void> {
    await this.#try(() => this.#publish(this.#names.progress, bytes));
  }

  lastProgress(): Promise<Uint8Array | undefined> {
    return this.#try(async () => {
      const { streams } = this.#connector.current.manager;
      const message = await streams.getMessage(this.#names.results, { last_by_subj: this.#names.progress });
      return message?.data;
    });
  }

  clear(): Promise<void> {
    return this.#try(async () => {
      const { streams } = this.#connector.current.manager;
      for (const name of [this.#names.tasks, this.#names.results]) await streams.purge(name);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connector[Symbol.asyncDispose]();
  }

  async #publish(subject: string, bytes: Uint8Array): Promise<void> {
    await this.#connector.current.client.publish(subject, bytes, { timeout: natsTimeoutOf(this.#nats) });
  }

  /** That of a queue that is there. */
  async #leaseNanos(): Promise<number> {
    const { consumers } = this.#connector.current.manager;
    const known = await consumers.info(this.#names.tasks, workers).catch(() => undefined);
    return known?.config.ack_wait ?? this.#options.leaseMs * nanosOfMs;
  }

  #configs(): (Partial<StreamConfig> & { readonly name: string })[] {
    const { replicas = 1 } = this.#nats;
    const both = { storage: StorageType.File, max_msgs_per_subject: 1, num_replicas: replicas };
    const { tasks, results, task, result, progress } = this.#names;
    return [
      {
        ...{ ...both, name: tasks, subjects: [task("*")], retention: RetentionPolicy.Workqueue },
        ...{ discard: DiscardPolicy.New, discard_new_per_subject: true },
      },
      {
        ...{ ...both, name: results, subjects: [result("*"), progress] },
        ...{ retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old },
      },
    ];
  }

  async #require(wanted: Partial<StreamConfig> & { readonly name: string }): Promise<void> {
    const { streams } = this.#connector.current.manager;
    const config = await streams.info(wanted.name).then(
      (info) => info.config,
      async (error: unknown) => {
        if (isNatsAnswer(error, "noStream")) return (await streams.add(wanted)).config;
        throw error;
      },
    );
    const isOurs =
      config.retention === wanted.retention &&
      config.max_msgs_per_subject === 1 &&
      config.subjects.join() === wanted.subjects?.join();
    if (isOurs) return;
    throw new StreamError({
      code: "otherStream",
      stream: wanted.name,
      reason: "it keeps other messages, or otherwise",
    });
  }

  #try<T>(work: () => Promise<T>): Promise<T> {
    return mapToStreamError(this.label, work);
  }
}

function namesOf(network: string) {
  const token = tokenOf(network);
  const beginning = `vedette-verify.${token}`;
  return {
    tasks: `VEDETTE_VERIFY_TASKS_${token}`,
    results: `VEDETTE_VERIFY_RESULTS_${token}`,
    task: (key: string) => `${beginning}.task.${key}`,
    result: (key: string) => `${beginning}.result.${key}`,
    progress: `${beginning}.progress`,
  };
}

function leaseOf(message: JsMsg): TaskLease {
  return {
    subject: message.subject,
    bytes: message.data,
    deliveries: message.info.deliveryCount,
    extend: () => message.working(),
    finish: async () => void (await message.ackAck()),
    giveBack: (afterMs) => message.nak(afterMs),
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is not connected");
  return value;
}

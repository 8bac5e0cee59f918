import type { Log } from "@vedette/config/log";
import { type Line, linesOf } from "@vedette/config/log";
import type { FollowStream, ReplicaStream } from "@vedette/node/run";
import {
  closeAfter,
  JetStreamSource,
  type NatsOptions,
  type QuorumRule,
  Replica,
  ReplicaChain,
  type ReplicaEvent,
  StreamNames,
} from "@vedette/replication/stream";

/** The stream to follow, and how. */
export interface FollowOptions {
  readonly network: string;
  readonly nats: NatsOptions;
  /** Hash of the block that the chain must begin with, where one was given. */
  readonly beginning: string | undefined;
  /** How many publishers must agree; without it, the first one's statement is enough. */
  readonly quorum: QuorumRule | undefined;
  readonly log: Log;
}

/** Pause before the next try after an error that an operator has to fix. */
const standMs = 30_000;

/** Follows a stream of NATS JetStream into a replica's chain. */
export function followStream({ network, nats, beginning, quorum, log }: FollowOptions): FollowStream {
  return (parts): ReplicaStream => {
    const source = new JetStreamSource(new StreamNames(network), nats);
    const state = new FollowState();
    const emit = (event: ReplicaEvent) => {
      state.note(event);
      const line = replicaLines(source.label, event);
      if (line !== undefined) log(line);
    };
    const chain = new ReplicaChain({ ...parts, beginning });
    const { hasRoom } = parts;
    const replica = new Replica({ network, source, chain, quorum, emit, nowMs: Date.now, standMs, hasRoom });
    return {
      async run(signal) {
        await using _source = source;
        using _closing = closeAfter(signal, source);
        await replica.run(signal);
      },
      view() {
        const { atEndMs, publishers: signs, ...progress } = replica.progress;
        const nowMs = performance.now();
        const lagMs = atEndMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, nowMs - atEndMs);
        const publishers = signs.map(({ publisher: name, receivedMs, left: eventsLeft, isNodeRunning }) => {
          return { name, lastHeartbeatAgeMs: Math.max(0, Math.round(nowMs - receivedMs)), eventsLeft, isNodeRunning };
        });
        const { lastTookMs, stopReason } = state;
        return { server: source.label, ...progress, lagMs, lastTookMs, stopReason, publishers };
      },
    };
  };
}

/** The state of a replica, from its events. */
class FollowState {
  #standsBecause: string | undefined;
  /** Why the stream is not known to be of the chain that is here. */
  #apart: string | undefined;
  #lastTookMs: number | undefined;

  get stopReason(): string | undefined {
    return this.#standsBecause ?? this.#apart;
  }

  get lastTookMs(): number | undefined {
    return this.#lastTookMs;
  }

  note(event: ReplicaEvent): void {
    switch (event.type) {
      case "failed":
        this.#standsBecause = event.isStanding ? event.error.message : undefined;
        return;
      case "waits":
        if (event.error.failure.code === "notJoined") this.#apart = event.error.message;
        else this.#standsBecause = event.error.message;
        return;
      case "joined":
        this.#apart = undefined;
        return;
      case "took":
        this.#standsBecause = undefined;
        this.#lastTookMs = event.behindMs;
    }
  }
}

const { info, warn } = linesOf("sync");

/** Log lines about a replica's stream; blocks that it adds are logged as on any other node. */
function replicaLines(server: string, event: ReplicaEvent): Line | undefined {
  switch (event.type) {
    case "begun":
      return info(
        `Following the stream of ${server} from message ${event.from}; the newest is ${event.newest}.${event.isOther ? " It is a new stream, read from its beginning." : ""}`,
      );
    case "aged":
      return warn(
        `Messages ${event.from} to ${event.to} are no longer in the stream. If blocks are missing here, start from a newer snapshot in an empty data directory.`,
      );
    case "skipped":
      return warn(`Skipped a message of the stream: ${event.error.message}`);
    case "waits":
      return warn(event.error.message);
    case "joined":
      return info("The stream belongs to the stored chain.");
    case "silence": {
      if (event.isOver) return info("A publisher confirms again that the stream is complete.");
      const heartbeats = event.publishers.map(
        ({ publisher, left, isNodeRunning }) =>
          `${publisher} (${left} events pending${isNodeRunning ? "" : ", its node is stopped"})`,
      );
      const last = heartbeats.length === 0 ? "none yet" : heartbeats.join(", ");
      return warn(
        `No publisher confirms that the stream is complete: served data may be old. Last heartbeats: ${last}. Check that a publisher runs, and that the NATS server delivers its heartbeats.`,
      );
    }
    case "failed":
      return warn(`${event.error.message}${event.isStanding ? ". Next check" : "; retry"} in ${event.waitMs} ms`);
    case "took":
      return undefined;
  }
}

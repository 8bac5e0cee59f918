import type { Log } from "@vedette/config/log";
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
import { replicaLines } from "./replicaLines.js";

/** What is followed. */
export interface FollowOptions {
  readonly network: string;
  readonly nats: NatsOptions;
  /** Hash of the block that the chain must begin with, where one was given. */
  readonly beginning: string | undefined;
  /** How many publishers must say the same; without, the first one's word is enough. */
  readonly quorum: QuorumRule | undefined;
  readonly log: Log;
}

/** Before it is looked again at what somebody has to mend. */
const standMs = 30_000;

/** Follows a stream of NATS JetStream into a replica's chain. */
export function followStream({ network, nats, beginning, quorum, log }: FollowOptions): FollowStream {
  return (parts): ReplicaStream => {
    const source = new JetStreamSource(new StreamNames(network), nats);
    let stopReason: string | undefined;
    let apart: string | undefined;
    let lastTookMs: number | undefined;
    const emit = (event: ReplicaEvent) => {
      if (event.type === "failed") stopReason = event.isStanding ? event.error.message : undefined;
      else if (event.type === "waits" && event.error.failure.code === "notJoined") apart = event.error.message;
      else if (event.type === "waits") stopReason = event.error.message;
      else if (event.type === "joined") apart = undefined;
      else if (event.type === "took") {
        stopReason = undefined;
        lastTookMs = event.behindMs;
      }
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
        const publishers = signs.map(({ publisher: name, heardMs, left: eventsLeft, isNodeRunning }) => {
          return { name, lastHeartbeatAgeMs: Math.max(0, Math.round(nowMs - heardMs)), eventsLeft, isNodeRunning };
        });
        return { server: source.label, ...progress, lagMs, lastTookMs, stopReason: stopReason ?? apart, publishers };
      },
    };
  };
}

import { type Line, linesOf } from "@vedette/config/log";
import type { ReplicaEvent } from "@vedette/replication/stream";

const { info, warn } = linesOf("sync");

/** Log lines about a replica's stream; blocks that it adds are logged as on any other node. */
export function replicaLines(server: string, event: ReplicaEvent): Line | undefined {
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

import { type Line, linesOf } from "@vedette/log";
import type { ReplicaEvent } from "@vedette/stream";

const { info, warn } = linesOf("sync");

/** What the log says of a replica's stream; blocks that were taken are told as those of any chain. */
export function replicaLines(server: string, event: ReplicaEvent): Line | undefined {
  switch (event.type) {
    case "begun":
      return info(
        `Following the stream of ${server} from message ${event.from}; the newest is ${event.newest}.${event.isOther ? " It is another stream than before, so that it is read from its beginning." : ""}`,
      );
    case "aged":
      return warn(
        `The stream keeps no more of its messages ${event.from} to ${event.to}. Where they told of blocks that are missing here, begin with a newer snapshot in an empty data directory.`,
      );
    case "skipped":
      return warn(`A message of the stream cannot be taken, and is passed over: ${event.error.message}`);
    case "waits":
      return warn(event.error.message);
    case "joined":
      return info("The stream is of the chain that is here.");
    case "silence": {
      if (event.isOver) return info("A publisher tells again that the stream has everything.");
      const heard = event.publishers.map(
        ({ publisher, left, isNodeRunning }) =>
          `${publisher} (${left} events left${isNodeRunning ? "" : ", its node does not run"})`,
      );
      const who = heard.length === 0 ? "none was heard yet" : `last told ${heard.join(", ")}`;
      return warn(
        `No publisher tells any more that the stream has everything: what is served here may be old. Of the publishers ${who}. See to it that one runs, and that the server lets this replica hear them.`,
      );
    }
    case "failed":
      return warn(
        `${event.error.message}${event.isStanding ? ". It is looked at" : "; tried"} again in ${event.waitMs} ms`,
      );
    case "took":
      return undefined;
  }
}

import type { PublisherView, ReplicaView } from "@vedette/api";
import type { Meters } from "../observe/meters.js";

/** Adds the numbers of a replica. @spec 50 §6.6 */
export function watchReplica(meters: Meters, view: () => ReplicaView): void {
  meters.watch(
    "vedette_replica_lag_seconds",
    "For how long a replica has not been at the end of its stream, or nobody has told that the stream has everything; -1 before that was so.",
    () => {
      const { lagMs } = view();
      return Number.isFinite(lagMs) ? lagMs / 1_000 : -1;
    },
  );
  meters.watch(
    "vedette_replica_messages_left",
    "Messages of the stream that a replica knows of and has not taken.",
    () => view().messagesLeft,
  );
  meters.watch(
    "vedette_replica_messages_skipped",
    "Messages of the stream that a replica could not take and has passed over since it began.",
    () => view().messagesSkipped,
  );
  meters.watch(
    "vedette_replica_publishers",
    "Publishers that told within the last five seconds that they have published everything.",
    () => {
      const isWhole = ({ heardBeforeMs, eventsLeft, isNodeRunning }: PublisherView) =>
        heardBeforeMs <= 5_000 && eventsLeft === 0 && isNodeRunning;
      return view().publishers.filter(isWhole).length;
    },
  );
  meters.watch("vedette_replica_connected", "1 while a replica hears from its stream.", () =>
    view().isConnected ? 1 : 0,
  );
  meters.watch(
    "vedette_replica_last_block_seconds",
    "From when the stream had the last block until the replica had it, by the clocks of both machines.",
    () => (view().lastTookMs ?? 0) / 1_000,
  );
}

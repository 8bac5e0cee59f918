import type { PublisherView, ReplicaView } from "@vedette/api";
import type { Meters } from "../observe/meters.js";

/** Adds the numbers of a replica. @spec 50 §6.6 */
export function watchReplica(meters: Meters, view: () => ReplicaView): void {
  meters.watch(
    "vedette_replica_lag_seconds",
    "Time since the replica was at the end of a complete stream; -1 before the first time.",
    () => {
      const { lagMs } = view();
      return Number.isFinite(lagMs) ? lagMs / 1_000 : -1;
    },
  );
  meters.watch(
    "vedette_replica_messages_pending",
    "Known messages of the stream that the replica has not applied.",
    () => view().messagesPending,
  );
  meters.watch(
    "vedette_replica_messages_skipped",
    "Invalid messages of the stream skipped since the start.",
    () => view().messagesSkipped,
  );
  meters.watch("vedette_replica_publishers", "Publishers that confirmed a complete stream within five seconds.", () => {
    const isWhole = ({ lastHeartbeatAgeMs, eventsLeft, isNodeRunning }: PublisherView) =>
      lastHeartbeatAgeMs <= 5_000 && eventsLeft === 0 && isNodeRunning;
    return view().publishers.filter(isWhole).length;
  });
  meters.watch("vedette_replica_connected", "1 while the replica is connected to its stream.", () =>
    view().isConnected ? 1 : 0,
  );
  meters.watch(
    "vedette_replica_last_block_seconds",
    "Delay of the last block from stream to replica, by both clocks.",
    () => (view().lastTookMs ?? 0) / 1_000,
  );
}

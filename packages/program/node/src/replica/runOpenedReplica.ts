import { LmdbStore, tablesOf } from "@vedette/store";
import type { NodeSetup } from "../start/NodeParts.js";
import { reportUncheckedValues } from "../start/uncheckedValues.js";
import { ReplicaNode } from "./ReplicaNode.js";
import type { FollowStream } from "./ReplicaStream.js";

/** Runs a replica on the chain that its directory has now. */
export async function runOpenedReplica(setup: NodeSetup, follow: FollowStream, signal: AbortSignal): Promise<void> {
  const { directory, room } = setup;
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain"), reserveBytes: room.reserveBytes });
  if (store.isSealed) reportUncheckedValues([directory.chain, directory.state], setup.log);
  await new ReplicaNode({ ...setup, store }, follow).run(signal);
}

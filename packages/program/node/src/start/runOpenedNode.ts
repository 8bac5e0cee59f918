import { warn } from "@vedette/config/log";
import { BatchingStore, LmdbStore, tablesOf } from "@vedette/store";
import type { NodeSetup } from "./NodeParts.js";
import { RunningNode } from "./RunningNode.js";
import { reportUncheckedValues } from "./uncheckedValues.js";

const unsealedLine =
  "The data are of an earlier version and have no checksums: not all that a disk changes is found. `vedette db migrate` adds them.";

/** Runs a node on the chain that its directory has now. */
export async function runOpenedNode(setup: NodeSetup, signal: AbortSignal): Promise<void> {
  const { directory, room } = setup;
  const disk = new LmdbStore(directory.chain, { tables: tablesOf("chain"), reserveBytes: room.reserveBytes });
  await using store = new BatchingStore(disk, { isHolding: false });
  if (!disk.isSealed) setup.log(warn(unsealedLine));
  else reportUncheckedValues([directory.chain, directory.state], setup.log);
  await new RunningNode({ ...setup, store }).run(signal);
}

import { GroupedStore, LmdbStore, tablesOf } from "@vedette/store";
import type { NodeSetup } from "./NodeParts.js";
import { RunningNode } from "./RunningNode.js";

/** Runs a node on the chain that its directory has now. */
export async function runOnGround(setup: NodeSetup, signal: AbortSignal): Promise<void> {
  await using store = new GroupedStore(new LmdbStore(setup.directory.chain, { tables: tablesOf("chain") }), {
    isHolding: false,
  });
  await new RunningNode({ ...setup, store }).run(signal);
}

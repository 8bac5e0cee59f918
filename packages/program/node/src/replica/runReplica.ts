import type { NodeOptions, NodeResourcesOptions } from "../start/NodeParts.js";
import { withNodeResources } from "../start/runNode.js";
import type { FollowStream } from "./ReplicaStream.js";

/**
 * Runs a replica until the signal: no peers, no key, no execution; its blocks come by a stream.
 *
 * @throws the errors of a start, as `runNode`, and permanent failures of following
 */
export async function runReplica(options: NodeOptions & { readonly follow: FollowStream }): Promise<void> {
  const ground: NodeResourcesOptions = { ...options, hasPeers: false, hasKeys: false, executes: false };
  const load = () => import("./runOpenedReplica.js");
  await withNodeResources(ground, load, async (made, { runOpenedReplica }) => {
    await runOpenedReplica({ ...made, queryTimeoutMs: options.queryTimeoutMs }, options.follow, options.signal);
  });
}

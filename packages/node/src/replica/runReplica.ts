import type { GroundOptions, NodeOptions } from "../start/NodeParts.js";
import { onGround } from "../start/runNode.js";
import type { FollowStream } from "./FollowedStream.js";

/**
 * Runs a replica until the signal: no peers, no key, no execution; its blocks come by a stream.
 *
 * @throws what keeps it from starting, as `runNode`, and what keeps it from following that does not pass by itself
 */
export async function runReplica(options: NodeOptions & { readonly follow: FollowStream }): Promise<void> {
  const ground: GroundOptions = { ...options, hasPeers: false, hasKeys: false, executes: false };
  const load = () => import("./runReplicaOnGround.js");
  await onGround(ground, load, async (made, { runReplicaOnGround }) => {
    await runReplicaOnGround({ ...made, queryTimeoutMs: options.queryTimeoutMs }, options.follow, options.signal);
  });
}

// How a node is run, without what it consists of: that is loaded while its threads begin.
export { Meters } from "./observe/meters.js";
export type { FollowingParts, FollowStream, ReplicaStream, ReplicaStreamStatus } from "./replica/ReplicaStream.js";
export { runReplica } from "./replica/runReplica.js";
export type { DevChainHooks, NodeClock, NodeInternals } from "./start/DevChainHooks.js";
export type { NodeOptions, NodeResources, NodeResourcesOptions } from "./start/NodeParts.js";
export { runNode, withNodeResources } from "./start/runNode.js";

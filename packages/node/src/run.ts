// How a node is run, without what it consists of: that is loaded while its threads begin.
export { Meters } from "./observe/meters.js";
export type { FollowedStream, FollowedView, FollowingParts, FollowStream } from "./replica/FollowedStream.js";
export { runReplica } from "./replica/runReplica.js";
export type { DevelopmentPart, NodeClock, NodeInside } from "./start/DevelopmentPart.js";
export type { GroundOptions, NodeGround, NodeOptions } from "./start/NodeParts.js";
export { onGround, runNode } from "./start/runNode.js";

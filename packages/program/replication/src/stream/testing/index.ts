export { FollowedState } from "./FollowedState.js";
export { followStream } from "./followStream.js";
export { NatsServer } from "./NatsServer.js";

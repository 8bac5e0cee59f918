export { FakePeers, type SentMessage, testPeer } from "./FakePeers.js";
export { chainPorts } from "./TestSyncNode.js";

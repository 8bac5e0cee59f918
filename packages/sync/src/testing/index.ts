export { FakePeers, testPeer } from "./FakePeers.js";
export { chainPorts } from "./TestSyncNode.js";

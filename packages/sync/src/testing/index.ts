export { FakePeers, type Said, testPeer } from "./FakePeers.js";
export { chainPorts } from "./TestSyncNode.js";

export { ChainSource } from "./ChainSource.js";
export { ShownTargets } from "./ShownTargets.js";
export { altered, type SignedFacts, SignedNetwork, updateOf } from "./SignedNetwork.js";
export { type Lie, TestServer } from "./TestServer.js";

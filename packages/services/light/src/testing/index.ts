export { ChainSource } from "./ChainSource.js";
export { altered, type SignedFacts, SignedNetwork, updateOf } from "./SignedNetwork.js";

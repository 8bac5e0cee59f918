import { useSyncExternalStore } from "react";
import { type ChainView, LiveChain } from "./LiveChain.js";
import { node } from "./node.js";

/** One for the page: every part of it sees the same. */
export const liveChain = new LiveChain(node);

/** The newest part of the chain, as it grows. */
export function useChain(): ChainView {
  return useSyncExternalStore(liveChain.subscribe, liveChain.view);
}

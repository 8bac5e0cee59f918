import type { NetworkFacts, NodeStatusView } from "@vedette/api";

/** What the status routes tell. */
export interface StatusReads {
  readonly version: string;
  readonly network: NetworkFacts;
  now(): NodeStatusView;
}

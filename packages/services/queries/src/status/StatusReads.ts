import type { NetworkFacts, NodeStatusView } from "@vedette/api";

/** The facts of the status routes. */
export interface StatusReads {
  readonly version: string;
  readonly network: NetworkFacts;
  now(): NodeStatusView;
}

import type { ChainEvent } from "@vedette/client";

/** By what events are kept in order: all of a chain, those of a deploy, or of who deploys. */
export const orderings = ["chain", "deploy", "deployer"] as const;
export type Ordering = (typeof orderings)[number];

/** The key of an event; what has no such member has the chain's. */
export function keyOf(event: ChainEvent, ordering: Ordering): string {
  if (ordering === "deploy" && "deployId" in event) return event.deployId;
  if (ordering === "deployer" && "deployer" in event) return event.deployer;
  return "chain";
}

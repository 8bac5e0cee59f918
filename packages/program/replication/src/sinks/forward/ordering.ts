import type { ChainEvent } from "@vedette/client";
import type { Ordering } from "../choices.js";

/** The key of an event; what has no such member has the chain's. */
export function keyOf(event: ChainEvent, ordering: Ordering): string {
  if (ordering === "deploy" && "deployId" in event) return event.deployId;
  if (ordering === "deployer" && "deployer" in event) return event.deployer;
  return "chain";
}

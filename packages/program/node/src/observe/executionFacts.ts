import type { BlockStatus } from "@vedette/chain";
import { toHex } from "@vedette/crypto";

/** Returns the results of a block's execution if they differ from the block's statements; rnode does not log them. */
export function executionFacts(status: BlockStatus): string | undefined {
  if (status.status !== "InvalidTransaction") return undefined;
  if (status.problem === "replay") return `Its deploys are executed otherwise than it states: ${status.message}`;
  const which = status.problem === "preState" ? "state that it begins with" : "state that it leads to";
  return `The ${which} is ${toHex(status.computed)}, but it states ${toHex(status.stated)}.`;
}

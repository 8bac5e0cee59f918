import type { ClientError } from "./ClientError.js";

/** Texts of nodes that have not joined, or cannot answer just now. @spec 50 §1.9, §3.5 */
const passingTexts = ["casper instance was not available yet", "Finalization in progress"];

/** Whether another node, or the same a little later, may do it. */
export function isTransient({ failure }: ClientError): boolean {
  if (failure.code === "unreachable" || failure.code === "timedOut") return true;
  if (failure.code !== "refused") return false;
  // A proxy's 408 ends a connection on which nothing has come for long, at the moment in which something does.
  if (failure.status === 408 || failure.status === 429) return true;
  if (failure.status !== undefined && failure.status >= 502) return true;
  return failure.messages.some((text) => passingTexts.some((passing) => text.includes(passing)));
}

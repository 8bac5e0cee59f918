import type { NodeProcess } from "@vedette/cli/testing";
import { until } from "@vedette/testing";

/** The log line of a node that begins, or goes on, with the blocks before the state that it began with. */
export const historyBegins = /Verifying history in the background|Verified history up to block #/;

/** The lowest block that a node has proven; `undefined` while it does not answer. */
export async function verifiedFrom(node: NodeProcess): Promise<number | undefined> {
  const status = await node.get("/status").catch(() => undefined);
  if (status === undefined) return undefined;
  const { verifiedFrom: from } = JSON.parse(status).syncStatus as { readonly verifiedFrom: number | string | null };
  return from === null ? undefined : Number(from);
}

/**
 * Waits until a node is at work on its history.
 *
 * @returns whether it is; a node that has proven all before it was killed does not begin again
 */
export async function untilHistoryBegins(node: NodeProcess): Promise<boolean> {
  let isAtWork = false;
  const look = async () => {
    isAtWork = node.lines.some((line) => historyBegins.test(line));
    return isAtWork || (await verifiedFrom(node)) === 0;
  };
  await until("the node to begin with its history", look, { state: () => node.lines.slice(-60).join("\n") });
  return isAtWork;
}

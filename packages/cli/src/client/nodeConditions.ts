import { HttpClient, type SyncProgress } from "@vedette/client";
import { httpUrl } from "../context/nodePlace.js";
import { apiKeyHeaders } from "./apiKeyHeaders.js";
import type { NodeCommand } from "./NodeCommand.js";

/** What is wrong with a node, as it tells itself. */
export type NodeConditions = NonNullable<SyncProgress["conditions"]>;

/** The answer is an addition to another one, which does not wait longer for it. */
const answerMs = 3_000;

/**
 * Asks a node's HTTP API what is wrong with it: gRPC, whose messages are the reference's, has no place for that.
 *
 * @param address of the node that is meant; another one that listens there says nothing of it
 * @returns `undefined` where nobody tells
 */
export async function nodeConditions(
  { host, options, signal }: Pick<NodeCommand, "host" | "options" | "signal">,
  address: string,
): Promise<NodeConditions | undefined> {
  const url = httpUrl(String(options["grpcHost"] ?? options["host"] ?? "localhost"), options["httpPort"]);
  try {
    const client = new HttpClient({ url, timeoutMs: answerMs, retries: 0, headers: apiKeyHeaders(host) });
    const status = await client.status({ signal });
    return status.address === address ? status.syncStatus?.conditions : undefined;
  } catch {
    return undefined;
  }
}

/** In lines for people. */
export function conditionLines(conditions: NodeConditions): string[] {
  return conditions.map(({ code, since, reason, advice }) => `${code} since ${since}: ${reason}. ${advice}`);
}

import type { HttpClient, SyncProgress } from "@vedette/client";

/** The result of one reading of a node's status. */
export interface NodeStatusSample {
  readonly atMs: number;
  readonly height: number;
  readonly version: string;
  readonly address: string;
  readonly peers: number;
  readonly sync: SyncProgress | undefined;
  /** Bytes that the process holds for itself. */
  readonly memoryBytes: number | undefined;
  /** HTTP requests since the node began. */
  readonly requests: number | undefined;
  /** Blocks added per second: as the node reports it for those it executes, or as its height has changed. */
  readonly blocksPerSecond: number | undefined;
  /** An earlier look, half a minute ago at most. */
  readonly since: { readonly atMs: number; readonly height: number };
  /** HTTP requests in a second, since the look before. */
  readonly requestsPerSecond: number | undefined;
  /** Why the node was not seen this time: all else is what was known before. */
  readonly failure?: string;
}

const windowMs = 30_000;

/** Looks at a node. @param before the last look, for what is counted by time @throws {ClientError} */
export async function readNode(client: HttpClient, before: NodeStatusSample | undefined): Promise<NodeStatusSample> {
  const [status, metrics] = await Promise.all([client.status(), client.metrics().catch(() => "")]);
  const atMs = performance.now();
  const requests = metricSum(metrics, "vedette_http_requests_total");
  const seconds = before === undefined ? 0 : (atMs - before.atMs) / 1_000;
  const made = requests === undefined || before?.requests === undefined ? undefined : requests - before.requests;
  const height = Number(status.syncStatus?.blockNumber ?? 0n);
  const isRecent = before !== undefined && atMs - before.since.atMs < windowMs;
  const since = isRecent ? before.since : { atMs: before?.atMs ?? atMs, height: before?.height ?? height };
  const risen = atMs > since.atMs ? (height - since.height) / ((atMs - since.atMs) / 1_000) : 0;
  const reported = status.syncStatus?.blocksPerSecond;
  return {
    atMs,
    height,
    since,
    blocksPerSecond: reported === undefined ? undefined : Math.max(reported, risen),
    version: status.version,
    address: status.address,
    peers: status.peers,
    sync: status.syncStatus,
    memoryBytes: metricSum(metrics, "vedette_private_memory_bytes"),
    requests,
    // A node that was started again counts from nothing.
    requestsPerSecond: made === undefined || made < 0 || seconds <= 0 ? undefined : made / seconds,
  };
}

/** The sum of a metric over its labels; `undefined` where there is none. */
export function metricSum(text: string, name: string): number | undefined {
  let sum: number | undefined;
  for (const line of text.split("\n")) {
    if (!line.startsWith(name)) continue;
    const value = /^(?:\{[^}]*\})? (\S+)/.exec(line.slice(name.length))?.[1];
    if (value !== undefined && Number.isFinite(Number(value))) sum = (sum ?? 0) + Number(value);
  }
  return sum;
}

import { percentilesOf } from "@vedette/devtools/devnet";
import { patienceMs, until } from "@vedette/testing";
import type { NetworkProcesses } from "./NetworkProcesses.js";

/** Times that a restarted node needs, in milliseconds since the start of its process. */
export interface RestartTimes {
  /** Its HTTP API answers. */
  readonly apiMs: number;
  /** It has a peer. */
  readonly peerMs: number;
  /** It has every height that the node it is compared with has. */
  readonly tipMs: number;
  /** Blocks that were made while it was away. */
  readonly missed: number;
}

/** A node to restart, and one to compare it with, which keeps running. */
export interface Restart {
  readonly name: string;
  readonly comparedWith: string;
  readonly missed: number;
}

const pollMs = 20;
const answerMs = patienceMs();

/** Kills a node, lets the others make blocks, starts it again, and looks how long it takes. */
export async function timeRestart(
  network: NetworkProcesses,
  { name, comparedWith, missed }: Restart,
): Promise<RestartTimes> {
  const before = (await network.heights(name))?.height ?? 0;
  await network.kill(name);
  const enough = async () => ((await network.heights(comparedWith))?.height ?? 0) >= before + missed;
  await network.until(`${missed} blocks without ${name}`, enough);
  const away = ((await network.heights(comparedWith))?.height ?? 0) - before;
  const startedMs = performance.now();
  const sinceStart = () => Math.round(performance.now() - startedMs);
  network.restart(name);
  const statusOf = (node: string) => network.node(node).status.read(answerMs);
  let apiMs: number | undefined;
  let peerMs: number | undefined;
  return until(
    `${name} to have a peer and the newest block`,
    async () => {
      const others = apiMs === undefined ? undefined : (await statusOf(comparedWith))?.height;
      const own = await statusOf(name);
      if (own !== undefined) apiMs ??= sinceStart();
      if (apiMs !== undefined && own !== undefined && own.peers > 0) peerMs ??= sinceStart();
      const isThere = others !== undefined && own?.height !== undefined && own.height >= others;
      if (apiMs === undefined || peerMs === undefined || !isThere) return undefined;
      return { apiMs, peerMs, tipMs: sinceStart(), missed: away };
    },
    { everyMs: pollMs, state: () => network.log(name, 200) },
  );
}

/** Times of many restarts in one line: the shortest, the median, 95 of 100, the longest. */
export function distributionLine(what: string, timesMs: readonly number[]): string {
  const { p50Ms, p95Ms, maxMs: longest } = percentilesOf(timesMs)!;
  return `${what}: min ${Math.min(...timesMs)}, p50 ${p50Ms}, p95 ${p95Ms}, max ${longest} ms (${timesMs.length})`;
}

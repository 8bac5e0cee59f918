import { setTimeout as sleep } from "node:timers/promises";
import { percentilesOf } from "@vedette/devnet";
import type { NetworkProcesses } from "./NetworkProcesses.js";

/** What a node that is started again has reached, and when: milliseconds since its process was started. */
export interface RestartTimes {
  /** Its HTTP API answers. */
  readonly apiMs: number;
  /** It is connected with somebody. */
  readonly peerMs: number;
  /** It has every height that the node it is compared with has. */
  readonly tipMs: number;
  /** Blocks that were made while it was away. */
  readonly missed: number;
}

/** A node that is ended and started again, and one that goes on meanwhile. */
export interface Restart {
  readonly name: string;
  readonly comparedWith: string;
  readonly missed: number;
}

const pollMs = 20;
const answerMs = 1_000;
const mostMs = 90_000;

/** Kills a node, lets the others make blocks, starts it again, and looks how long it takes. @throws Error with the logs */
export async function timeRestart(
  network: NetworkProcesses,
  { name, comparedWith, missed }: Restart,
): Promise<RestartTimes> {
  const before = (await network.heights(name))?.height ?? 0;
  await network.kill(name);
  const enough = async () => ((await network.heights(comparedWith))?.height ?? 0) >= before + missed;
  await network.until({ what: `${missed} blocks without ${name}`, within: mostMs }, enough);
  const away = ((await network.heights(comparedWith))?.height ?? 0) - before;
  const startedMs = performance.now();
  const sinceStart = () => Math.round(performance.now() - startedMs);
  network.restart(name);
  let apiMs: number | undefined;
  let peerMs: number | undefined;
  while (sinceStart() < mostMs) {
    const others = apiMs === undefined ? undefined : (await network.node(comparedWith).status.read(answerMs))?.height;
    const own = await network.node(name).status.read(answerMs);
    if (own !== undefined) apiMs ??= sinceStart();
    if (apiMs !== undefined && own !== undefined && own.peers > 0) peerMs ??= sinceStart();
    const isThere = others !== undefined && own?.height !== undefined && own.height >= others;
    if (apiMs !== undefined && peerMs !== undefined && isThere)
      return { apiMs, peerMs, tipMs: sinceStart(), missed: away };
    await sleep(pollMs);
  }
  throw new Error(`${name} is not at the tip ${mostMs} ms after its start\n${network.log(name, 200)}`);
}

/** Times of many restarts in one line: the shortest, the median, 95 of 100, the longest. */
export function distributionLine(what: string, timesMs: readonly number[]): string {
  const { p50Ms, p95Ms, mostMs: longest } = percentilesOf(timesMs)!;
  return `${what}: min ${Math.min(...timesMs)}, p50 ${p50Ms}, p95 ${p95Ms}, max ${longest} ms (${timesMs.length})`;
}

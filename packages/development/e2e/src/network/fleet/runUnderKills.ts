import { setMaxListeners } from "node:events";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ClientError, HttpClient } from "@vedette/client";
import { SeededNumbers } from "@vedette/devtools/devnet";
import { patienceMs, until } from "@vedette/testing";
import { transferBy } from "../networkDeploys.js";
import { compareFollowers, cutAt, type FollowFigures, saidOf } from "./compareEvents.js";
import { EventContents, EventFollower, type FollowedEvent } from "./EventFollower.js";
import { FleetProcesses, type FleetSize } from "./FleetProcesses.js";
import { Killer, type KillKind } from "./Killer.js";
import { type ReadFigures, ReadLoad } from "./ReadLoad.js";
import type { ReplicaProcess } from "./ReplicaProcess.js";
import { Stages } from "./Stages.js";

/** How long, and how much. */
export interface UnderKillsOptions {
  readonly size: FleetSize;
  readonly seed: number;
  readonly durationMs: number;
  readonly followers: number;
  readonly readers: number;
}

/** The result of a run. */
export interface UnderKillsFigures {
  readonly seed: number;
  readonly seconds: number;
  readonly heights: number;
  /** That validators took. */
  readonly deploys: number;
  readonly http: ReadFigures;
  readonly grpc: ReadFigures;
  readonly follow: FollowFigures;
  readonly kills: Readonly<Record<KillKind, number>>;
  readonly ended: readonly string[];
  /** The separate node's facts about blocks, and the fleet's. */
  readonly said: { readonly apart: Record<string, number>; readonly fleet: Record<string, number> };
  readonly load: readonly number[];
}

const deployPauseMs = 1_500;
const pollMs = 250;
/** Heights below the last one that are compared with the node apart: a block may come late. */
const lateHeights = 10;

/** Runs a fleet with readers and followers while its members are killed, and compares all that they received. */
export async function runUnderKills(options: UnderKillsOptions): Promise<UnderKillsFigures> {
  const { size, seed, durationMs, followers: count, readers } = options;
  const stages = new Stages();
  await using fleet = await FleetProcesses.start(size, stages);
  stages.begin("all find a cursor that they share");
  const contents = new EventContents();
  const stop = new AbortController();
  const { signal } = stop;
  setMaxListeners(0, signal);
  const apart = new EventFollower({ url: fleet.apartUrl, contents, after: "oldest", signal });
  const after = await firstSharedCursor(fleet);
  const from = (await fleet.heights()).height + 1;
  const { url } = fleet;
  const numbers = new SeededNumbers(seed);
  const followers = Array.from({ length: count }, () => {
    const leavesAfter = { most: 150, seed: numbers.below(2 ** 31) };
    return new EventFollower({ url, contents, after, signal, leavesAfter });
  });
  const { apartUrl, apartGrpcPort, grpcPort, network } = fleet;
  const heights = () => fleet.heights();
  const statesFrom = () => fleet.statesFrom;
  const asks = { url, grpcPort, apartUrl, apartGrpcPort, wallets: network.wallets, heights, statesFrom, seed, readers };
  const load = new ReadLoad(asks);
  const killer = new Killer(fleet, seed);
  try {
    stages.begin(`members are killed for ${durationMs / 1_000} s`);
    // Not `AbortSignal.timeout`, which Node.js 20 may collect before its time where only `AbortSignal.any` knows it.
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), durationMs);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    const beganMs = performance.now();
    const work = Promise.all([deploy(fleet, time.signal), load.run(time.signal), killer.run(time.signal)]);
    const [deploys] = await work;
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    const { http, grpc } = load.figures;
    stages.begin(`HTTP ${summaryOf(http)}; gRPC ${summaryOf(grpc)}; killed ${JSON.stringify(killer.kills)}`);
    stages.begin("all replicas come back");
    await fleet.areReady();
    stages.begin("all events are requested from the replicas");
    const right = await rightEvents(fleet, contents, after);
    const endCursor = right.at(-1)!.cursor;
    stages.begin("followers come to the end");
    await settled("all followers to come to the end", followers, ({ received }) => has(received, endCursor));
    const to = (await fleet.heights()).finalized - lateHeights;
    const last = right.map(({ content }) => contents.event(content)).findLast((event) => "blockNumber" in event);
    const span = { from, to: Math.min(to, Number(last!.blockNumber) - lateHeights) };
    return {
      ...{ seed, seconds, deploys, heights: span.to - span.from + 1, http, grpc },
      follow: compareFollowers(followers, right, apart.received),
      ...{ kills: killer.kills, ended: killer.ended, load: loadavg() },
      said: { apart: saidOf(apart.received, contents, span), fleet: saidOf(right, contents, span) },
    };
  } finally {
    stop.abort();
    stages.begin("all is ended");
    await Promise.all([apart, ...followers].map(({ done }) => done));
  }
}

/** A table of them, for people. */
export function printFigures({ http, grpc, follow, kills, ended, ...rest }: UnderKillsFigures): string {
  const reads = (name: string, { reads: all, failed, retried, wrong, reasons }: ReadFigures) => [
    `  ${name} reads ${all}, failed ${failed} (${(100 * (1 - failed / Math.max(1, all))).toFixed(3)} % answered), tries again ${retried}, wrong ${wrong.length}`,
    ...[...reasons].map(([reason, times]) => `    ${times} × ${reason}`),
    ...wrong.map((text) => `    ${text}`),
  ];
  const killed = Object.entries(kills).map(([kind, times]) => `${kind} ${times}`);
  const ms = (time = 0) => `${Math.round(time)} ms`;
  return [
    `A fleet under kills, seed ${rest.seed}: ${rest.seconds} s, ${rest.heights} heights, ${rest.deploys} deploys, load ${rest.load.map((one) => one.toFixed(1)).join(" ")}`,
    ...reads("HTTP", http),
    ...reads("gRPC", grpc),
    `  ${follow.followers} followers, ${follow.events} events each: received ${follow.received}, lost ${follow.lost}, doubled ${follow.doubled}, out of place ${follow.disordered}`,
    `    connections lost ${follow.connectionsLost}, left and came back ${follow.left}, gave up ${follow.failures.length}`,
    ...[...new Set(follow.failures)].map((text) => `    ${text}`),
    `    later than the node apart: median ${ms(follow.lag?.p50Ms)}, 95 of 100 ${ms(follow.lag?.p95Ms)}, most ${ms(follow.lag?.maxMs)}`,
    `  killed: ${killed.join(", ")}; ended by themselves ${ended.length}`,
    ...ended.map((text) => `    ${text.replaceAll("\n", "\n    ")}`),
    "",
  ].join("\n");
}

/** Returns the facts that are known before all replicas are back, in case they do not come back. */
function summaryOf({ reads, failed, wrong }: ReadFigures): string {
  return `${reads} reads, ${failed} failed, ${wrong.length} wrong`;
}

/** A cursor of the stream that every replica knows. */
async function firstSharedCursor({ replicas, network }: FleetProcesses): Promise<string> {
  const [first, ...others] = replicas;
  const signal = AbortSignal.timeout(patienceMs());
  for await (const { cursor, kind } of new HttpClient({ url: first!.url }).events({ after: "oldest", signal })) {
    if (kind !== "blockFinalized" || !cursor.includes(".")) continue;
    await network.until("all know the cursor", async () => {
      const known = await Promise.all(others.map((replica) => knows(replica, cursor)));
      return known.every(Boolean);
    });
    return cursor;
  }
  throw new Error("no event has a cursor of the stream");
}

async function knows({ url }: ReplicaProcess, cursor: string): Promise<boolean> {
  const answer = await fetch(`${url}/v2/events?after=${cursor}`, {
    method: "GET",
    signal: AbortSignal.timeout(patienceMs()),
  });
  await answer.body?.cancel();
  return answer.status === 200;
}

/** The events that the replicas with their old disks return at the end: the same, all of them. */
async function rightEvents(
  fleet: FleetProcesses,
  contents: EventContents,
  after: string,
): Promise<readonly FollowedEvent[]> {
  const stop = new AbortController();
  const { signal } = stop;
  const asked = fleet.replicas.slice(0, -1).map(({ url }) => new EventFollower({ url, contents, after, signal }));
  const { finalized } = await fleet.heights();
  const isEnd = ({ content }: FollowedEvent) => {
    const event = contents.event(content);
    return event.kind === "blockFinalized" && Number(event.blockNumber) >= finalized;
  };
  await settled("all replicas to send the last event", asked, ({ received }) => received.some(isEnd));
  stop.abort();
  await Promise.all(asked.map(({ done }) => done));
  const [first, ...others] = asked.map(({ received, failure }) => {
    const end = received.find(isEnd);
    if (end === undefined) throw new Error(`a replica does not send the events of block ${finalized}: ${failure}`);
    return cutAt(received, end.cursor);
  });
  const places = (received: readonly FollowedEvent[]) =>
    received.map(({ cursor, content }) => `${cursor} ${content}`).join("\n");
  for (const other of others)
    if (places(other) !== places(first!)) throw new Error("two replicas send other events, or in another order");
  return first!;
}

async function deploy({ network }: FleetProcesses, signal: AbortSignal): Promise<number> {
  const [one, two] = network.wallets;
  let deploys = 0;
  while (!signal.aborted) {
    const [from, to] = deploys % 2 === 0 ? [one!, two!] : [two!, one!];
    const validator = network.validators[deploys % network.validators.length]!;
    try {
      await transferBy(network, validator, { from, to, amount: BigInt(1 + deploys) });
      deploys += 1;
    } catch (error) {
      // A busy validator takes no deploy now and then: they are here to make blocks, and are not what is looked at.
      if (!(error instanceof ClientError)) throw error;
    }
    await sleep(deployPauseMs, undefined, { signal }).catch(() => {});
  }
  return deploys;
}

/** Waits until something is true of all followers that have not failed. */
async function settled(
  what: string,
  followers: readonly EventFollower[],
  isTrue: (follower: EventFollower) => boolean,
): Promise<void> {
  const late = () => followers.filter((one) => one.failure === undefined && !isTrue(one));
  const state = () => `${late().length} of ${followers.length} have not`;
  await until(what, () => late().length === 0, { everyMs: pollMs, state });
}

function has(received: readonly FollowedEvent[], cursor: string): boolean {
  return received.some((event) => event.cursor === cursor);
}

import { percentilesOf } from "@vedette/devnet";
import { expect } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { distributionLine, type RestartTimes, timeRestart } from "./restartTimes.js";

/** From the start of an observer's process to the first answer of its API. */
const idleApiMs = 2_500;
/** As published configurations have it: no round of discovery helps a node that has just been started. */
const discovery = { "peers-discovery.lookup-interval": "20 seconds" };

/**
 * Kills an observer as often, and its bootstrap a quarter as often: it has a peer in 2 s and, where the machine is
 * idle, the newest of 20 missed blocks in 5 s.
 */
export async function expectPromptRestarts(restarts: number): Promise<void> {
  await using network = await NetworkProcesses.start({ validators: 2, rhythmMs: 500 }, discovery);
  for (const name of network.names) network.configure(name, discovery);
  await network.finalizes(network.names, 3, 180_000);

  const times = await timesOf(network, "observer", { count: restarts, missed: 20 });
  const firstPeer = times.map(({ apiMs, peerMs }) => peerMs - apiMs);
  const atTip = times.map(({ tipMs }) => tipMs);
  tell(
    "observer: API answers after the start",
    times.map(({ apiMs }) => apiMs),
  );
  tell("observer: first peer after that", firstPeer);
  tell("observer: at the tip after the start", atTip);

  // It is configured with nobody's address, and knows those that it was connected with.
  const ofBootstrap = await timesOf(network, "bootstrap", { count: Math.ceil(restarts / 4), missed: 10 });
  const bootstrapPeer = ofBootstrap.map(({ apiMs, peerMs }) => peerMs - apiMs);
  tell("bootstrap: first peer after its API answers", bootstrapPeer);

  expect(await proposedAfterRestart(network, "validator2")).not.toMatch(/NotSynchronized|not available/);
  // Where the bare start takes longer than on an idle machine of two cores, so does all that follows it.
  const slowness = Math.max(1, medianOf(times.map(({ apiMs }) => apiMs)) / idleApiMs);
  expect([...firstPeer, ...bootstrapPeer].filter((ms) => ms > 2_000 * slowness)).toEqual([]);
  expect(medianOf(atTip)).toBeLessThanOrEqual(5_000 * slowness);
  expect(Math.max(...atTip)).toBeLessThanOrEqual(15_000 * slowness);
}

async function timesOf(
  network: NetworkProcesses,
  name: string,
  { count, missed }: { readonly count: number; readonly missed: number },
): Promise<RestartTimes[]> {
  const times: RestartTimes[] = [];
  while (times.length < count) times.push(await timeRestart(network, { name, comparedWith: "validator1", missed }));
  return times;
}

/** What a validator answers that is asked for a block as soon as it answers anything. */
async function proposedAfterRestart(network: NetworkProcesses, name: string): Promise<string> {
  await network.kill(name);
  network.restart(name);
  await network.until(
    { what: `${name} answers`, within: 60_000 },
    async () => (await network.get(name, "/status")) !== undefined,
  );
  using client = network.client(name);
  const answer = await client.propose().catch((error: unknown) => String(error));
  tell(`${name}: ${answer}`, []);
  return answer;
}

function medianOf(timesMs: readonly number[]): number {
  return percentilesOf(timesMs)!.p50Ms;
}

function tell(what: string, timesMs: readonly number[]): void {
  process.stdout.write(`${timesMs.length === 0 ? what : distributionLine(what, timesMs)}\n`);
}

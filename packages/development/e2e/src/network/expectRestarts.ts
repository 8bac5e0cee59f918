import { expect } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { distributionLine, type RestartTimes, timeRestart } from "./restartTimes.js";

/** As published configurations have it: no round of discovery helps a node that has just been started. */
const discovery = { "peers-discovery.lookup-interval": "20 seconds" };

/** How often a node is killed, and how many blocks it misses each time. */
export interface RestartTrial {
  readonly kills: number;
  readonly missed: number;
}

/**
 * Kills an observer as often, and its bootstrap a quarter as often: each time it has a peer and all blocks again. How
 * long that takes is printed.
 */
export async function expectRestarts({ kills, missed }: RestartTrial): Promise<void> {
  await using network = await NetworkProcesses.start({ validators: 2, rhythmMs: 500 }, discovery);
  for (const name of network.names) network.configure(name, discovery);
  await network.finalizes(network.names, 3);

  const times = await timesOf(network, "observer", { kills, missed });
  print(
    "observer: API answers after the start",
    times.map(({ apiMs }) => apiMs),
  );
  print(
    "observer: first peer after that",
    times.map(({ apiMs, peerMs }) => peerMs - apiMs),
  );
  print(
    "observer: at the tip after the start",
    times.map(({ tipMs }) => tipMs),
  );

  // The bootstrap is configured with no peer's address, and knows the peers of its last run.
  const ofBootstrap = await timesOf(network, "bootstrap", { kills: Math.ceil(kills / 4), missed: missed >> 1 });
  print(
    "bootstrap: first peer after its API answers",
    ofBootstrap.map(({ apiMs, peerMs }) => peerMs - apiMs),
  );

  expect(await proposedAfterRestart(network, "validator2")).not.toMatch(/NotSynchronized|not available/);
}

async function timesOf(
  network: NetworkProcesses,
  name: string,
  { kills, missed }: RestartTrial,
): Promise<RestartTimes[]> {
  const times: RestartTimes[] = [];
  while (times.length < kills) times.push(await timeRestart(network, { name, comparedWith: "validator1", missed }));
  return times;
}

/** Returns the answer of a validator to a request for a block as soon as it answers at all. */
async function proposedAfterRestart(network: NetworkProcesses, name: string): Promise<string> {
  await network.kill(name);
  network.restart(name);
  await network.until(`${name} answers`, async () => (await network.get(name, "/status")) !== undefined);
  using client = network.client(name);
  const answer = await client.propose().catch((error: unknown) => String(error));
  process.stdout.write(`${name}: ${answer}\n`);
  return answer;
}

function print(what: string, timesMs: readonly number[]): void {
  process.stdout.write(`${distributionLine(what, timesMs)}\n`);
}

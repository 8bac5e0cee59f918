import { test } from "vitest";
import { NetworkProcesses } from "../testing/NetworkProcesses.js";
import { distributionLine, type RestartTimes, timeRestart } from "../testing/restartTimes.js";

const restarts = Number(process.env["VEDETTE_RESTARTS"] ?? 20);
const missed = 20;
/** As published configurations have it: no round of discovery helps a node that has just been started. */
const discovery = { "peers-discovery.lookup-interval": "20 seconds" };

test("a killed observer that has missed 20 blocks", async () => {
  await using network = await NetworkProcesses.start({ validators: 2, rhythmMs: 500 }, discovery);
  for (const name of network.names) network.configure(name, discovery);
  await network.finalizes(network.names, 3, 180_000);
  const times: RestartTimes[] = [];
  for (let round = 0; round < restarts; round++) {
    const time = await timeRestart(network, { name: "observer", comparedWith: "validator1", missed });
    process.stdout.write(`${JSON.stringify(time)}\n`);
    times.push(time);
  }
  for (const line of [
    distributionLine(
      "API answers",
      times.map(({ apiMs }) => apiMs),
    ),
    distributionLine(
      "first peer after that",
      times.map(({ apiMs, peerMs }) => peerMs - apiMs),
    ),
    distributionLine(
      "at the tip after the start",
      times.map(({ tipMs }) => tipMs),
    ),
  ])
    process.stdout.write(`${line}\n`);
}, 1_800_000);

import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { DevProcess, freePorts, NodeProcess, program } from "@vedette/cli/testing";
import { Launcher } from "@vedette/e2e";
import type { Measurements } from "./Measurements.js";

/** The options of the benchmark of a chain for development. */
export interface DevBenchOptions {
  /** A recorded chain that is forked; left out: none. */
  readonly recording: string | undefined;
  readonly directory: string;
}

const starts = 10;
const networkStarts = 3;
const forkStarts = 5;
/** Below the ports of outgoing connections. */
const networkPort = 9300;
const transfers = 20;
const reads = 20;

/** Start, a transfer from its deploy to the answer, and a fork of a recorded chain that another node serves. */
export async function benchDev(measurements: Measurements, { recording, directory }: DevBenchOptions): Promise<void> {
  const environment = { XDG_CACHE_HOME: directory, VEDETTE_CONTEXTS: join(directory, "contexts.json") };
  const start = async (args: readonly string[] = []) => {
    const begunMs = performance.now();
    const chain = await DevProcess.start(args, environment);
    return { chain, seconds: (performance.now() - begunMs) / 1000 };
  };
  const first = await start();
  measurements.add("vedette dev: first start, which makes genesis", first.seconds, "s");
  await first.chain.stop();
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const { chain, seconds } = await start();
    times.push(seconds);
    if (round === starts - 1) await benchTransfers(measurements, chain);
    await chain.stop();
  }
  measurements.add(`vedette dev: process to ready, median of ${starts}`, median(times), "s");
  measurements.add(`vedette dev: process to ready, slowest of ${starts}`, Math.max(...times), "s");
  await benchNetworkStart(measurements, directory);
  if (recording === undefined) measurements.skip("vedette dev: fork", "the recordings are not there");
  else await benchFork(measurements, recording, directory, start);
}

/** The network of `npm start`, from an empty folder until its observer has the first block after genesis. */
async function benchNetworkStart(measurements: Measurements, directory: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < networkStarts; round += 1) {
    const begunMs = performance.now();
    const network = new Launcher(join(directory, `network-${round}`), networkPort);
    await network.observes(1);
    times.push((performance.now() - begunMs) / 1000);
    await network.end("SIGTERM");
  }
  measurements.add(
    `vedette network: process to the observer's first block, median of ${networkStarts}`,
    median(times),
    "s",
  );
}

async function benchTransfers(measurements: Measurements, chain: DevProcess): Promise<void> {
  const { address } = chain.ready.accounts[1]!;
  const times: number[] = [];
  for (let round = 0; round < transfers + 3; round += 1) {
    const begunMs = performance.now();
    const { json } = await chain.ask("/dev/faucet", { address, amount: 1 });
    if (json["errored"] !== false) throw new Error(`the transfer failed: ${JSON.stringify(json)}`);
    // The first ones warm up.
    if (round >= 3) times.push(performance.now() - begunMs);
  }
  measurements.add(`vedette dev: a transfer, deploy to final answer, median of ${transfers}`, median(times), "ms");
  measurements.add(`vedette dev: the same, slowest of ${transfers}`, Math.max(...times), "ms");
}

async function benchFork(
  measurements: Measurements,
  recording: string,
  directory: string,
  start: (args: readonly string[]) => Promise<{ readonly chain: DevProcess; readonly seconds: number }>,
): Promise<void> {
  const dataDir = join(directory, "origin");
  await promisify(execFile)(program, ["replay", recording, "--data-dir", dataDir]);
  const origin = new NodeProcess({ dataDir, ports: await freePorts(), networkId: "bench", args: ["--standalone"] });
  try {
    await origin.line(/HTTP API server|Listening for traffic/);
    // The origin's work at its start does not count for the fork.
    while ((await fetch(`http://127.0.0.1:${origin.ports.http}/health/ready`)).status !== 200) await sleep(200);
    const url = `http://127.0.0.1:${origin.ports.http}`;
    const times: number[] = [];
    for (let round = 1; round < forkStarts; round += 1) {
      const { chain, seconds } = await start(["--fork", url]);
      times.push(seconds);
      await chain.stop();
    }
    const { chain, seconds } = await start(["--fork", url]);
    times.push(seconds);
    const name = "vedette dev: process to ready as a fork of a recorded chain";
    measurements.add(`${name}, median of ${forkStarts}`, median(times), "s");
    measurements.add(`${name}, slowest of ${forkStarts}`, Math.max(...times), "s");
    try {
      const { blockInfo } = JSON.parse(await origin.get("/last-finalized-block")) as {
        readonly blockInfo: { readonly postStateHash: string };
      };
      let equal = 0;
      for (let read = 0; read < reads; read += 1) {
        const path = `/v2/state/${blockInfo.postStateHash}/${read % 2 === 0 ? "data" : "joins"}?name=${read >> 1}&proof=true`;
        const [here, there] = [
          JSON.stringify(await chain.get(path)),
          JSON.stringify(JSON.parse(await origin.get(path))),
        ];
        if (here === there && there.includes('"proof"')) equal += 1;
      }
      measurements.add(`vedette dev: reads of the fork that are the origin's, of ${reads}`, equal, "reads");
    } finally {
      await chain.stop();
    }
  } finally {
    await origin.stop();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

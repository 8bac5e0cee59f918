import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts, NodeProcess } from "@vedette/cli/testing";
import { CommandProcess, makeMixedChain } from "@vedette/e2e";
import { heldMemory } from "@vedette/executor/threads";
import { type Measurements, quantile } from "../Measurements.js";
import { makeOwnGenesis, mixedPeople } from "../ownGenesis.js";
import { processorSeconds } from "../soak/ProcessFigures.js";

/** The options of the benchmark. */
export interface JoinBenchOptions {
  /** Empty at first. */
  readonly directory: string;
  /** The number of blocks of the mixed chain, all of them executed. */
  readonly blocks: number;
  /** Blocks that were made since the snapshot: at one each two seconds, 1,800 in an hour. */
  readonly since: number;
  /** Joins, each with an empty data directory. */
  readonly rounds: number;
  /** Called now and then with the number of blocks. */
  readonly progress: (made: number) => void;
}

const networkId = "mixed";
const rules = ["--max-number-of-parents=1", "--fault-tolerance-threshold=0", "--min-phlo-price=0"];
const progressEvery = 1_000;
const pollMs = 100;
const giveUpMs = 1_800_000;

/** The output of `vedette snapshot create`. */
interface Made {
  readonly block: { readonly hash: string; readonly number: number };
}

interface JoinedOnce {
  /** Until the data directory is filled. */
  readonly restoredSeconds: number;
  /** From the start of the node on it to the tip. */
  readonly followedSeconds: number;
  readonly processorSeconds: number;
  readonly privateBytes: number;
}

/**
 * Measures how long an observer takes from an empty folder to the tip of a long chain: an older snapshot fills its data
 * directory; later blocks come from a node beside it and are executed.
 */
export async function benchJoin(measurements: Measurements, options: JoinBenchOptions): Promise<void> {
  const { directory, blocks, since, rounds, progress } = options;
  const genesis = await makeOwnGenesis(measurements, mixedPeople, directory);
  const served = join(directory, "server");
  const place = join(directory, "snapshots");
  let snapshot: Made["block"] | undefined;
  await makeMixedChain(served, genesis, {
    ...{ blocks, mix: "mixed" },
    onBlock: async ({ number }) => {
      if (number % BigInt(progressEvery) === 0n) progress(Number(number));
      if (number !== BigInt(blocks - since)) return;
      const begunMs = performance.now();
      const said = await command("create", `--data-dir=${served}`, `--location=${place}`, "--json");
      // Its lines about progress come before.
      snapshot = (JSON.parse(said.slice(said.search(/^\{/m))) as Made).block;
      measurements.add(`snapshot at ${blocks - since} blocks: made`, (performance.now() - begunMs) / 1_000, "s");
    },
  });
  const server = new NodeProcess({
    ...{ dataDir: served, ports: await freePorts(), networkId },
    args: ["--standalone", ...rules],
  });
  try {
    const bootstrap = await server.address();
    const joins: JoinedOnce[] = [];
    for (let round = 0; round < rounds; round += 1)
      joins.push(await joinedOnce(join(directory, "late"), { bootstrap, place, hash: snapshot!.hash, blocks }));
    const name = `join at ${blocks} blocks, ${blocks - snapshot!.number} of them since the snapshot`;
    const add = (what: string, of: (one: JoinedOnce) => number, unit: string) =>
      measurements.add(`${name}: ${what}`, quantile(joins.map(of), 0.5), unit);
    add("from an empty folder to the tip", (one) => one.restoredSeconds + one.followedSeconds, "s");
    add("of it the snapshot", (one) => one.restoredSeconds, "s");
    add("of it from the start of the node on", (one) => one.followedSeconds, "s");
    add("processor time of the node", (one) => one.processorSeconds, "s");
    add("private memory at the tip", (one) => one.privateBytes / 1e6, "MB");
  } finally {
    await server.stop();
  }
}

interface Joining {
  readonly bootstrap: string;
  readonly place: string;
  /** The hash of the snapshot's block. */
  readonly hash: string;
  /** The tip. */
  readonly blocks: number;
}

async function joinedOnce(dataDir: string, { bootstrap, place, hash, blocks }: Joining): Promise<JoinedOnce> {
  const begunMs = performance.now();
  await command("restore", `--data-dir=${dataDir}`, `--location=${place}`, `--block=${hash}`);
  const startMs = performance.now();
  const node = new NodeProcess({
    ...{ dataDir, ports: await freePorts(), networkId },
    args: [`--bootstrap=${bootstrap}`, "--discovery-lookup-interval=1s", ...rules],
  });
  try {
    while ((await heightOf(node)) !== blocks) {
      if (!node.isRunning || performance.now() - startMs > giveUpMs)
        throw new Error(`the observer is not at the tip:\n${node.lines.slice(-60).join("\n")}`);
      await sleep(pollMs);
    }
    return {
      restoredSeconds: (startMs - begunMs) / 1_000,
      followedSeconds: (performance.now() - startMs) / 1_000,
      processorSeconds: processorSeconds(node.pid!),
      privateBytes: heldMemory(node.pid!)?.privateBytes ?? Number.NaN,
    };
  } finally {
    await node.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function heightOf(node: NodeProcess): Promise<number | undefined> {
  const answer = await node.get("/api/blocks/1").catch(() => "[]");
  return (JSON.parse(answer) as readonly { readonly blockNumber: number }[])[0]?.blockNumber;
}

/** Runs `vedette snapshot`. @returns its output @throws Error if it fails */
async function command(...args: readonly string[]): Promise<string> {
  const run = new CommandProcess(["snapshot", ...args]);
  const code = await run.ended();
  if (code !== 0) throw new Error(`vedette snapshot ${args.join(" ")} ended with ${code}: ${run.said}`);
  return run.said;
}

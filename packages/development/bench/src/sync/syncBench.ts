import { mkdirSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Measurements, quantile } from "../Measurements.js";
import { floorOf, scratchIn } from "./floor.js";
import { keptChain } from "./keptChain.js";
import type { ReplayedOnce } from "./ReplayedOnce.js";
import { perBlock, replayApart } from "./replayApart.js";
import { stagesOf } from "./stages.js";

/** The options of the benchmark. */
export interface SyncBenchOptions {
  /** Folders of recorded chains that are replayed beside the mixed one. */
  readonly recordings: readonly { readonly name: string; readonly folder: string }[];
  /** The number of blocks of the mixed chain. */
  readonly blocks: number;
  /** The number of replays of each chain, and once more under a profiler. */
  readonly rounds: number;
  /** Empty at first. */
  readonly directory: string;
}

/**
 * How fast chains are taken in from their first block on, each time by a process of its own with an empty data
 * directory; where the time goes, what the same work would take without anything around it, and what is kept.
 */
export async function benchSync(measurements: Measurements, options: SyncBenchOptions): Promise<void> {
  for (const { name, folder } of options.recordings) await benchChain(measurements, options, name, folder);
  if (options.blocks === 0) return;
  const cache = join(homedir(), ".cache", "vedette-bench");
  mkdirSync(cache, { recursive: true });
  const progress = (made: number) => process.stderr.write(`${made} of ${options.blocks} blocks are made\n`);
  const folder = await keptChain(measurements, cache, options.blocks, progress);
  await benchChain(measurements, options, `mixed chain of ${options.blocks}`, folder);
}

/** This many blocks of a longer chain are also replayed alone, by turns with all of them. */
const beginning = 10_000;

async function benchChain(
  measurements: Measurements,
  { rounds, directory }: SyncBenchOptions,
  name: string,
  folder: string,
): Promise<void> {
  const place = (what: string) => join(directory, `${name.replaceAll(" ", "-")}-${what}`);
  const replays: ReplayedOnce[] = [];
  const beginnings: ReplayedOnce[] = [];
  for (let round = 0; round < rounds; round += 1) {
    replays.push(await replayApart(folder, place(`round-${round}`)));
    if (replays[round]!.blocks > beginning)
      beginnings.push(await replayApart(folder, place(`beginning-${round}`), { blocks: beginning }));
  }
  const each = (of: (one: ReplayedOnce) => number) => replays.map(of);
  const add = (what: string, values: readonly number[], unit: string) => {
    measurements.add(`${name}: ${what}`, quantile(values, 0.5), unit);
    if (values.length > 1)
      measurements.add(`${name}: ${what}, most less least`, Math.max(...values) - Math.min(...values), unit);
  };
  const whole = (one: ReplayedOnce) => one.blocks / (one.heights.at(-1)!.ms / 1000);
  const warm = (one: ReplayedOnce) => {
    const [first, last] = [one.heights[0]!, one.heights.at(-1)!];
    return (last.blocks - first.blocks) / ((last.ms - first.ms) / 1000);
  };
  add("with the start and genesis", each(whole), "blocks/s");
  add("after genesis", each(warm), "blocks/s");
  const processorMs = (upTo?: number) => (one: ReplayedOnce) => perBlock(one, "cpuMs", upTo);
  add("processor time after genesis", each(processorMs()), "ms a block");
  add(
    "written to files",
    each((one) => perBlock(one, "writtenBytes") / 1000),
    "kB a block",
  );
  if (beginnings.length > 0) {
    // The same blocks: what differs is the machine's.
    add(`processor time of the first ${beginning} blocks`, each(processorMs(beginning)), "ms a block");
    add(`processor time of the first ${beginning} blocks alone`, beginnings.map(processorMs()), "ms a block");
  }
  for (const { from, to } of spans(replays[0]!))
    add(
      `blocks ${from} to ${to}`,
      each((one) => speedBetween(one, from, to)),
      "blocks/s",
    );
  add(
    "peak resident memory",
    each(({ peakBytes }) => peakBytes / 1e6),
    "MB",
  );
  await benchStages(measurements, replays, { name, folder, directory, kept: place("round-0") });
}

interface ReplayedPlace {
  readonly name: string;
  /** The folder of the recording. */
  readonly folder: string;
  readonly directory: string;
  /** A data directory that a replay has left. */
  readonly kept: string;
}

/** Measures the stored size, the time of each stage, and the cost of the same work alone. */
async function benchStages(
  measurements: Measurements,
  replays: readonly ReplayedOnce[],
  { name, folder, directory, kept }: ReplayedPlace,
): Promise<void> {
  const { blocks } = replays[0]!;
  measurements.add(`${name}: kept on disk`, bytesOf(kept) / blocks / 1000, "kB a block");
  const profiles = `${kept}-profiles`;
  await replayApart(folder, `${kept}-profiled`, { more: ["--cpu-prof", `--cpu-prof-dir=${profiles}`] });
  // A profile counts time, also that in which a thread waits for a core: only its shares are used.
  const totalMs =
    quantile(
      replays.map(({ heights }) => heights.at(-1)!.cpuMs),
      0.5,
    ) / blocks;
  const stages = [...stagesOf(profiles)].filter(([stage]) => stage !== "idle").sort(([, a], [, b]) => b - a);
  const profiledMs = stages.reduce((sum, [, ms]) => sum + ms, 0);
  for (const [stage, ms] of stages)
    measurements.add(`${name}: with start and genesis, ${stage}`, (ms / profiledMs) * totalMs, "ms a block");
  const floor = await floorOf(folder, kept, scratchIn(directory));
  let floorMs = 0;
  for (const [part, ms] of Object.entries(floor) as readonly (readonly [string, number])[]) {
    measurements.add(`${name}: with genesis, floor of ${part}`, ms / blocks, "ms a block");
    floorMs += ms / blocks;
  }
  measurements.add(`${name}: processor time with start and genesis`, totalMs / floorMs, "times the floor");
}

/** The thousand blocks up to each of these heights, as far as the chain goes. */
function spans({ blocks }: ReplayedOnce): readonly { readonly from: number; readonly to: number }[] {
  return [2_000, 10_000, 50_000, 100_000].filter((to) => to <= blocks).map((to) => ({ from: to - 1_000, to }));
}

function speedBetween({ heights }: ReplayedOnce, from: number, to: number): number {
  const at = (blocks: number) => heights.find((one) => one.blocks === blocks)!.ms;
  return (to - from) / ((at(to) - at(from)) / 1000);
}

function bytesOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

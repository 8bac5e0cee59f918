import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ReplayedOnce } from "./ReplayedOnce.js";

const run = promisify(execFile);
const program = fileURLToPath(new URL("./replayOnce.js", import.meta.url));
const outputBytes = 16 << 20;
/** As nodes are started. */
const nodeOptions = ["--expose-gc"];

/**
 * Replays a recorded chain in a process of its own.
 *
 * @param every blocks between two looks at it
 * @param more options of that process
 */
export async function replayApart(
  folder: string,
  dataDir: string,
  every = 1_000,
  more: readonly string[] = [],
): Promise<ReplayedOnce> {
  const args = [...nodeOptions, ...more, program, folder, dataDir, String(every)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: outputBytes });
  const replayed: ReplayedOnce = JSON.parse(stdout);
  if (replayed.differences.length > 0)
    throw new Error(`the replay of ${folder} differs: ${replayed.differences.join("; ")}`);
  return replayed;
}

/** Processor time of a block after genesis, in milliseconds. */
export function processorMs({ heights }: ReplayedOnce): number {
  const [first, last] = [heights[0]!, heights.at(-1)!];
  return (last.cpuMs - first.cpuMs) / (last.blocks - first.blocks);
}

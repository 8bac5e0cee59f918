import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ReplayedOnce } from "./ReplayedOnce.js";

const run = promisify(execFile);
const program = fileURLToPath(new URL("./replayOnce.js", import.meta.url));
const outputBytes = 16 << 20;
/** As nodes are started. */
const nodeOptions = ["--expose-gc"];

/** How a chain is replayed; what is left out is usual. */
export interface ReplayApartOptions {
  /** Blocks between two looks at it. */
  readonly every?: number;
  /** Blocks after which it ends; left out: all. */
  readonly blocks?: number | undefined;
  /** Options of the process. */
  readonly more?: readonly string[];
}

/** Replays a recorded chain in a process of its own. */
export async function replayApart(
  folder: string,
  dataDir: string,
  { every = 1_000, blocks = Number.MAX_SAFE_INTEGER, more = [] }: ReplayApartOptions = {},
): Promise<ReplayedOnce> {
  const args = [...nodeOptions, ...more, program, folder, dataDir, String(every), String(blocks)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: outputBytes });
  const replayed: ReplayedOnce = JSON.parse(stdout);
  if (replayed.differences.length > 0)
    throw new Error(`the replay of ${folder} differs: ${replayed.differences.join("; ")}`);
  return replayed;
}

/** Returns the cost of a block after genesis, up to a height or the last one. */
export function perBlock({ heights }: ReplayedOnce, of: "cpuMs" | "writtenBytes", upTo?: number): number {
  const first = heights[0]!;
  const last = heights.find(({ blocks }) => blocks === upTo) ?? heights.at(-1)!;
  return (last[of] - first[of]) / (last.blocks - first.blocks);
}

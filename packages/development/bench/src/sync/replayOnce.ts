import { readFileSync } from "node:fs";
import { openDataDirectory } from "@vedette/node/machine";
import { RecordedChain, replayChain } from "@vedette/node/replay";
import { rnode } from "@vedette/protocol";
import type { ReplayedOnce, ReplayMark } from "./ReplayedOnce.js";

/**
 * Replays the recorded chain in the first argument into the data directory in the second, up to the number of blocks in
 * the fourth, and prints the figures.
 */
const [folder, dataDir, everyText, blocksText] = process.argv.slice(2) as [string, string, string, string];
const [every, maxBlocks] = [Number(everyText), Number(blocksText)];
const begunMs = performance.now();
const heights: ReplayMark[] = [];
const mark = (blocks: number): ReplayMark => {
  const { user, system } = process.cpuUsage();
  return { blocks, ms: performance.now() - begunMs, cpuMs: (user + system) / 1000, writtenBytes: writtenBytes() };
};
const { summary } = await (async () => {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  const ended = new AbortController();
  const progress = ({ blocks }: { readonly blocks: number }) => {
    if (blocks === 1 || blocks % every === 0) heights.push(mark(blocks));
    if (blocks >= maxBlocks) ended.abort();
  };
  const { signal } = ended;
  const chain = new RecordedChain(folder);
  const replayed = await replayChain({ chain, directory, start: "genesis", signal, progress });
  heights.push(mark(replayed.blocks));
  return { summary: replayed };
})();
const { blocks, deploys, differences } = summary;
// The system keeps it: repeated queries for it took a tenth of the main thread's time.
const peakBytes = process.resourceUsage().maxRSS * 1024;
const replayed: ReplayedOnce = { blocks, deploys, differences, heights, peakBytes };
process.stdout.write(`${JSON.stringify(replayed)}\n`);

function writtenBytes(): number {
  if (process.platform !== "linux") return 0;
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);
}

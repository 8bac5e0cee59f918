import { openDataDirectory } from "@vedette/node/machine";
import { RecordedChain, replayChain } from "@vedette/node/replay";
import { rnode } from "@vedette/protocol";
import type { ReplayedOnce } from "./ReplayedOnce.js";

/** Replays the recorded chain in the first argument into the data directory in the second, and prints the figures. */
const [folder, dataDir, everyText] = process.argv.slice(2) as [string, string, string];
const every = Number(everyText);
const begunMs = performance.now();
const heights: { blocks: number; ms: number; cpuMs: number }[] = [];
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const { summary } = await (async () => {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  const progress = ({ blocks }: { readonly blocks: number }) => {
    if (blocks === 1 || blocks % every === 0) heights.push({ blocks, ms: performance.now() - begunMs, cpuMs: cpuMs() });
  };
  const { signal } = new AbortController();
  const chain = new RecordedChain(folder);
  const replayed = await replayChain({ chain, directory, start: "genesis", signal, progress });
  heights.push({ blocks: replayed.blocks, ms: performance.now() - begunMs, cpuMs: cpuMs() });
  return { summary: replayed };
})();
const { blocks, deploys, differences } = summary;
// The system keeps it: to ask for it again and again took a tenth of the main thread's time.
const peakBytes = process.resourceUsage().maxRSS * 1024;
const replayed: ReplayedOnce = { blocks, deploys, differences, heights, peakBytes };
process.stdout.write(`${JSON.stringify(replayed)}\n`);

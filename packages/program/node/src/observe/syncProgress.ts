import { setTimeout as sleep } from "node:timers/promises";
import type { SyncStatusView } from "@vedette/api";
import { type Line, linesOf } from "@vedette/config/log";

const { info } = linesOf("sync");

/** Between two lines of the log. */
const lineMs = 30_000;
/** Shorter work is not worth a line. */
const minBlocks = 100n;

/** Log line of a node that is far behind: how far, how fast, what it waits for, and which peers give blocks. */
export function progressLine(sync: SyncStatusView): Line | undefined {
  const { phase, blockNumber = 0n, bestPeerBlockNumber, blocksPerSecond, progress, secondsLeft } = sync;
  const left = secondsLeft === undefined ? "" : `, ${timeText(secondsLeft)} left`;
  if (phase === "importingState") {
    const total = progress.total === undefined ? "" : ` of about ${progress.total}`;
    return info(`State: ${progress.done}${total} items, ${progress.perSecond} items/s${left}${sourceText(sync)}.`);
  }
  if (phase !== "replaying" || bestPeerBlockNumber === undefined) return undefined;
  if (bestPeerBlockNumber - blockNumber < minBlocks) return undefined;
  const wait = sync.bottleneck === "fetching" ? ", waiting for blocks" : "";
  const text = `Behind: block #${blockNumber} of #${bestPeerBlockNumber}, ${blocksPerSecond} blocks/s${left}${wait}`;
  return info(`${text}${sourceText(sync)}.`);
}

/** Logs the progress now and then until the signal. */
export async function reportProgress(
  view: () => SyncStatusView,
  say: (line: Line | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(lineMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) say(progressLine(view()));
  }
}

function sourceText({ sources = [] }: SyncStatusView): string {
  const [first] = sources;
  if (first === undefined) return "";
  const others = sources.length === 1 ? "" : ` and ${sources.length - 1} more`;
  return `; given by ${first.address}${others}`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

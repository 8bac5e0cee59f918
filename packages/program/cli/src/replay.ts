import { resolve } from "node:path";
import type { DialectName } from "@vedette/config";
import {
  openReplayDirectory,
  RecordedChain,
  ReplayProgress,
  type ReplayStart,
  type ReplaySummary,
  replayChain,
} from "@vedette/node/replay";
import { exitCodes } from "./exitCodes.js";

/** `vedette replay <chain directory>`. */
export interface ReplayCommand {
  readonly chainPath: string;
  readonly dataPath: string;
  readonly start: ReplayStart;
  /** `undefined` for the dialect of the recording. */
  readonly dialect: DialectName | undefined;
  readonly json: boolean;
}

/** Replays a recorded chain with a progress bar and a summary. @returns the exit code */
export async function runReplay(command: ReplayCommand): Promise<number> {
  const chain = new RecordedChain(resolve(command.chainPath), command.dialect);
  const totalBlocks = chain.countBlocks();
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const progress = new ReplayProgress(process.stderr);
  await using directory = await openReplayDirectory(resolve(command.dataPath), chain);
  const replayed = await replayChain({
    chain,
    directory,
    start: command.start,
    signal: controller.signal,
    progress: (numbers) => progress.update({ ...numbers, totalBlocks }),
  });
  progress.end();
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
  const summary = { ...replayed, totalBlocks, interrupted: controller.signal.aborted };
  process.stdout.write(`${command.json ? jsonText(summary, progress) : summaryText(summary, progress)}\n`);
  if (summary.interrupted) return exitCodes.interrupted;
  return summary.differences.length === 0 ? exitCodes.success : exitCodes.failure;
}

/** The result of a run, and whether a signal ended it before the recording's last block. */
type RunSummary = ReplaySummary & { readonly totalBlocks: number; readonly interrupted: boolean };

function jsonText(summary: RunSummary, progress: ReplayProgress): string {
  return JSON.stringify({ ...summary, seconds: progress.seconds, peakMemoryBytes: progress.peakBytes });
}

/** The lines that a person reads at the end of a run. */
export function summaryText(summary: RunSummary, progress: Pick<ReplayProgress, "seconds" | "peakBytes">): string {
  const { blocks, deploys, events, skipped, differences, totalBlocks } = summary;
  const { seconds } = progress;
  const lines = [
    `${blocks} blocks, ${deploys} deploys and ${events} events replayed in ${seconds.toFixed(1)} s`,
    `${(blocks / seconds).toFixed(1)} blocks/s, ${(deploys / seconds).toFixed(1)} deploys/s, peak memory ${Math.round(progress.peakBytes / 1e6)} MB`,
  ];
  if (skipped > 0) lines.push(`${skipped} blocks were there already`);
  if (summary.detached > 0)
    lines.push(`${summary.detached} blocks were checked by execution alone: the recording lacks what they refer to`);
  if (summary.trusted > 0)
    lines.push(`${summary.trusted} blocks were taken as they are: they go on from states older than the imported one`);
  if (summary.interrupted)
    lines.push(`interrupted after ${blocks + skipped} of ${totalBlocks} blocks of the recording`);
  if (differences.length === 0)
    lines.push(`every ${summary.interrupted ? "replayed " : ""}block agrees with the recording`);
  else lines.push(`${differences.length} differences:`, ...differences.map((difference) => `  ${difference}`));
  return lines.join("\n");
}

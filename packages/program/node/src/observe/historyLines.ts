import type { HistoryView } from "@vedette/api";
import { type Line, linesOf } from "@vedette/config/log";

const { error, info, warn } = linesOf("sync");

/** The log lines of the proof of the history before the state that a node began with. @spec 40 §20 */
export const historyLines = {
  begun: (target: bigint, height: bigint): Line =>
    info(
      height < 0n
        ? `Verifying history in the background: this node started at the state of block #${target}.`
        : `Verified history up to block #${height} of #${target}; continuing.`,
    ),
  progress: ({ blockNumber, target, blocksPerSecond, reason }: HistoryView): Line => {
    const how = reason === undefined ? `${blocksPerSecond} blocks/s` : `stalled: ${reason}`;
    return info(`History: block #${blockNumber ?? 0n} of #${target}, ${how}.`);
  },
  givenUp: (from: bigint, reason: string): Line =>
    info(`History: blocks from #${from} on are not verified concurrently: ${reason}`),
  proven: (target: bigint): Line =>
    info(`History verified since genesis: the state of block #${target}, at which this node started, is correct.`),
  refuted: (target: bigint, reason: string): Line =>
    error(
      `History contradicts the state of block #${target}, at which this node started: ${reason}. Do not rely on this node; compare with nodes that started at genesis.`,
    ),
  failed: (reason: string): Line => warn(`History verification interrupted, restarting: ${reason}`),
};

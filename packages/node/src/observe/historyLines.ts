import type { HistoryView } from "@vedette/api";
import { type Line, linesOf } from "@vedette/log";

const { error, info, warn } = linesOf("sync");

/** What the log says of the proof of what lies before the state that a node began with. @spec 40 §20 */
export const historyLines = {
  begun: (target: bigint, height: bigint): Line =>
    info(
      height < 0n
        ? `This node began with the state of block #${target}: now it replays the blocks before it, in the background.`
        : `Blocks up to #${height} of the #${target} before this node's own beginning are replayed; the rest follows.`,
    ),
  progress: ({ blockNumber, target, blocksPerSecond, reason }: HistoryView): Line => {
    const how = reason === undefined ? `${blocksPerSecond} blocks/s` : `it does not go on: ${reason}`;
    return info(`History: block #${blockNumber ?? 0n} of #${target} is replayed, ${how}.`);
  },
  givenUp: (from: bigint, reason: string): Line =>
    info(`History: blocks from #${from} on are not replayed side by side with those before: ${reason}`),
  proven: (target: bigint): Line =>
    info(`All blocks since genesis are replayed: the state of block #${target}, with which this node began, is right.`),
  refuted: (target: bigint, reason: string): Line =>
    error(
      `The state of block #${target}, with which this node began, does not follow from the blocks before it: ${reason}. Do not rely on this node until you know why; compare with nodes that began at genesis.`,
    ),
  failed: (reason: string): Line => warn(`The replay of old blocks was broken off, and is begun again: ${reason}`),
};

import { setTimeout as sleep } from "node:timers/promises";
import { BlockPacking, type Chain, yieldToEventLoop } from "@vedette/chain";
import { type Lines, type Log, lineOf, linesOf } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Store } from "@vedette/store";
import { pruneStates } from "./pruneStates.js";
import type { UpkeepEvent } from "./UpkeepEvent.js";

/** The parts that are maintained while a node runs. */
export interface UpkeepParts {
  readonly chain: Chain;
  readonly store: Store;
  readonly executor: ExecutorClient;
  /** The number of heights with kept states; all without. */
  readonly window: bigint | undefined;
  readonly log: Log;
  /** Whether the node follows its network. */
  readonly isRunning: () => boolean;
  /** Whether there is room on the disk; left out: there is. */
  readonly room?: { readonly isOpen: boolean } | undefined;
}

/** Packs old blocks, and forgets old states where that is wanted, until the signal. */
export async function keepUp(
  { chain, store, executor, window, log, isRunning, room }: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  const emit = (event: UpkeepEvent) => {
    const line = lineOf(upkeepLines, event);
    if (line !== undefined) log(line);
  };
  const packing = new BlockPacking(store, () => chain.dag.lastFinalized()?.number);
  const parts = { dag: chain.dag, store, executor, yieldNow: yieldToEventLoop, mayPrune: isRunning, emit };
  await Promise.all([
    packBlocks(
      { step: async () => (room?.isOpen === false ? 0 : packing.step()) },
      (reason) => emit({ type: "packingFailed", reason }),
      signal,
    ),
    window === undefined ? undefined : pruneStates({ ...parts, window }, signal),
  ]);
}

const { info, warn } = linesOf("chain");

/** The log lines of upkeep. */
const upkeepLines: Lines<UpkeepEvent> = {
  packingFailed: ({ reason }) => warn(`Packing of old blocks failed, they stay unpacked: ${errorText(reason)}`),
  statesPruned: ({ below, removed }) => info(`Pruned states below block #${below}: ${removed} entries deleted.`),
  pruningFailed: ({ reason }) => warn(`Pruning of states failed, retrying: ${errorText(reason)}`),
};

/** Between two looks for old blocks, where there were not enough of them. */
const pauseMs = 5_000;
/** After a failure, such as a full disk. */
const longPauseMs = 60_000;

/**
 * Packs old blocks until the signal. It goes on by itself as fast as the chain grows, a pack at a time.
 *
 * @param failed receives what kept a pack from being written, once until one is
 */
async function packBlocks(
  packing: Pick<BlockPacking, "step">,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let isReported = false;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      if ((await packing.step()) === 0) waitMs = pauseMs;
      isReported = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isReported) failed(error);
      isReported = true;
      waitMs = longPauseMs;
    }
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

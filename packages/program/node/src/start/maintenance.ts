import { BlockPacking, type Chain, yieldToEventLoop } from "@vedette/chain";
import { type Log, lineOf } from "@vedette/config/log";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Store } from "@vedette/store";
import { upkeepLines } from "../observe/upkeepLines.js";
import { packBlocks } from "./packBlocks.js";
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

import { setTimeout as sleep } from "node:timers/promises";
import { prunableStates, type StateWindowSources, windowEdge } from "@vedette/chain";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { UpkeepEvent } from "./UpkeepEvent.js";

/** The executor's time for one slice; then it is left alone for four times as long. */
const sliceMs = 5;
const restOfSlice = 4;
/** Between two looks at the chain. */
const pauseMs = 5_000;
const longPauseMs = 60_000;
/** A round reads all states: it pays when the window has moved by this much. */
const minHeights = 128n;
const shareOfWindow = 8n;

/** The parts that pruning works on. */
export interface PruningParts extends StateWindowSources {
  readonly executor: Pick<ExecutorClient, "forgetStates" | "forgottenBelow" | "prune">;
  /** The number of heights below the last final block with kept states. */
  readonly window: bigint;
  /** Heights by which the window has to have moved before there is another round. */
  readonly step?: bigint;
  /** Whether the node follows its network: not while it begins with another one's state. */
  readonly mayPrune: () => boolean;
  readonly emit: (event: UpkeepEvent) => void;
}

/** Forgets states that leave the window, and throws away what was theirs, until the signal. @spec 30 §5.9 */
export async function pruneStates(parts: PruningParts, signal: AbortSignal): Promise<void> {
  let isReported = false;
  let isUnfinished = true;
  while (!signal.aborted) {
    let waitMs = pauseMs;
    try {
      isUnfinished = await pruneOnce(parts, isUnfinished, signal);
      isReported = false;
    } catch (reason) {
      if (signal.aborted) return;
      if (!isReported) parts.emit({ type: "pruningFailed", reason });
      isReported = true;
      isUnfinished = true;
      waitMs = longPauseMs;
    }
    await pause(waitMs, signal);
  }
}

/**
 * Does a round where there is one to be done.
 *
 * @param isUnfinished whether the one before was broken off, by the end of a process or of a thread too
 * @returns whether this one was
 */
export async function pruneOnce(parts: PruningParts, isUnfinished: boolean, signal: AbortSignal): Promise<boolean> {
  const { dag, executor, window, step = stepOf(window), mayPrune } = parts;
  const below = await executor.forgottenBelow();
  const edge = windowEdge(dag, window) ?? 0n;
  const hasMoved = edge >= (below ?? 0n) + step;
  if (!mayPrune() || (!hasMoved && !(isUnfinished && below !== undefined))) return isUnfinished;
  if (hasMoved && !(await forgetStates(parts, below ?? 0n, signal))) return true;
  return removeForgotten(parts, signal);
}

/** Forgets the states that have left the window. @returns whether all were, before the signal */
async function forgetStates(parts: PruningParts, below: bigint, signal: AbortSignal): Promise<boolean> {
  for await (const forgettable of prunableStates(parts, parts.window, below)) {
    if (signal.aborted) return false;
    await parts.executor.forgetStates(forgettable);
  }
  return true;
}

/** Throws away what belongs to forgotten states alone. @returns whether it was broken off */
async function removeForgotten({ executor, mayPrune, emit }: PruningParts, signal: AbortSignal): Promise<boolean> {
  for (let mayBegin = true; mayPrune() && !signal.aborted; mayBegin = false) {
    const begunMs = performance.now();
    const { phase, removed } = await executor.prune({ mayBegin, budgetMs: sliceMs });
    if (phase === "idle") return true;
    if (phase === "done") {
      emit({ type: "statesPruned", below: (await executor.forgottenBelow()) ?? 0n, removed });
      return false;
    }
    await pause((performance.now() - begunMs) * restOfSlice, signal);
  }
  return true;
}

function stepOf(window: bigint): bigint {
  const share = window / shareOfWindow;
  return share > minHeights ? share : minHeights;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}

import { ExecutionError } from "@vedette/execution";
import { type Budget, InterpreterError, isLimitOfMachine } from "@vedette/rholang";
import { TermLimitError, type TermLimits } from "@vedette/terms";
import { isOutOfMemory } from "../thread/deepStack.js";
import { threadWaitMs } from "../thread/threadWaitMs.js";

/** The limits of an execution besides phlo, when a node makes a block and when it replays one. @spec 41 §2.6 */
export interface ExecutionLimits {
  /** Limits for replaying one block of any validator. */
  readonly replayBudget: () => Budget;
  /** Limits for the blocks that this node makes: narrower, so that all other nodes can replay them. */
  readonly play: {
    readonly nowMs: () => number;
    readonly waitedMs: () => number;
    readonly isOutOfMemory: () => boolean;
    readonly maxTokens: number;
  };
  readonly playTerms: TermLimits;
}

/** Honest blocks take some hundred milliseconds. Matching is free of phlo and may take time without end. */
const replayTimeoutMs = 600_000;
/** Compiled they take more than half of the thread's heap. */
const replayTokens = 2_000_000;
const playTokens = 1_000_000;
/** A quarter of what replay takes. */
const playTerms: TermLimits = {
  maxParts: 1_000_000,
  longestText: 16 * 1024 * 1024,
  largestBytes: 64 * 1024 * 1024,
};
/** The part of the thread's heap that a block which is made may fill. */
const playHeapPart = 0.5;
/** Above what programs may fill: what is left is more than a transaction takes. */
const writingHeapPart = 0.9;

/**
 * Called before a transaction: a thread that the engine stops within one never exits.
 *
 * @throws {ExecutionError} `stopped`, where the thread's heap is nearly full
 */
export function requireHeapForWriting(): void {
  if (isOutOfMemory(writingHeapPart)) throw new ExecutionError({ code: "stopped", reason: "memory" });
}

/** Whether an error means only that this machine does not execute the block. */
export function isLimitOfExecution(error: unknown): boolean {
  if (error instanceof ExecutionError) return error.failure.code === "stopped";
  return error instanceof TermLimitError || (error instanceof InterpreterError && isLimitOfMachine(error));
}

/** The limits of this thread, which was started with a deep stack. */
export function executionLimits(): ExecutionLimits {
  const nowMs = () => performance.now();
  return {
    replayBudget: () => ({
      ...{ nowMs, isOutOfMemory, maxTokens: replayTokens },
      deadlineMs: performance.now() + replayTimeoutMs,
    }),
    play: { nowMs, waitedMs: threadWaitMs, isOutOfMemory: () => isOutOfMemory(playHeapPart), maxTokens: playTokens },
    playTerms,
  };
}

import type { BlockTable } from "@vedette/chain";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import { SpeculativeReplay } from "./SpeculativeReplay.js";
import { withBlockBytes } from "./withBlockBytes.js";

/** The stages that a chain's calls pass, from the thread upwards. */
export interface ExecutorStages<Groups extends { readonly executor: ExecutorClient }> {
  /** Executes; a node counts its calls ({@link measuredExecutor}). */
  readonly thread: ExecutorClient;
  /** Block bytes: adds the blocks that a merge names by their hashes, of the chain. @see withBlockBytes */
  readonly blocks: Pick<BlockTable, "findBytes">;
  /** Group commits: brings the states of many blocks to disk at once. @see BlockCommitBatcher, CatchUpBatcher */
  readonly groups: (next: ExecutorClient) => Groups;
  /** Patience: waits for others before a block is executed; left out: nothing waits. */
  readonly patience?: (next: ExecutorClient) => ExecutorClient;
}

/** The way of a chain's calls to the executor. */
export interface ExecutorPipeline<Groups> {
  /** For the chain: its calls pass all stages. */
  readonly executor: ExecutorClient;
  readonly groups: Groups;
  /** Receives the block that is next, and has it executed ahead. */
  readonly ahead: SpeculativeReplay;
}

/**
 * Puts the stages between a chain and its executor in their one order: speculation, patience, group commits, block
 * bytes, thread. Speculation is outermost, since its calls have to be those of the chain in every other stage. Group
 * commits are outside of block bytes, since they repeat calls when a thread has ended.
 */
export function executorPipeline<Groups extends { readonly executor: ExecutorClient }>(
  stages: ExecutorStages<Groups>,
): ExecutorPipeline<Groups> {
  const { thread, blocks, patience = (next) => next } = stages;
  const groups = stages.groups(withBlockBytes(thread, blocks));
  const ahead = new SpeculativeReplay(patience(groups.executor));
  return { executor: ahead.executor, groups, ahead };
}

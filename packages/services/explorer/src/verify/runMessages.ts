import type { Checkpoint } from "@vedette/light";
import type { Lie } from "./Finding.js";

/** A program, or the look-up of a URI; and the block after which it runs in this browser. */
export interface RunRequest<Task extends RunTask = RunTask> {
  /** The URL of the node that sends pieces of the state. */
  readonly url: string;
  readonly checkpoint: Checkpoint;
  readonly task: Task;
}

/** @see RunRequest */
export type RunTask = ProgramTask | LookUpTask;

/** A program with its limit. */
export interface ProgramTask {
  readonly source: string;
  readonly phloLimit: bigint;
}

/** A URI, whose name is to be found. */
export interface LookUpTask {
  readonly uri: string;
}

/** The result of a program here. */
export interface OwnRun {
  /** Rholang texts, `null` for what is too large to be printed; `undefined` where the program failed. */
  readonly results: readonly (string | null)[] | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
  readonly cost: bigint;
  /** Root of the state. */
  readonly root: string;
  /** Hashes of the nodes and leaves of the state that it read. */
  readonly read: readonly string[];
}

/** The name behind a URI, as found here. */
export interface OwnName {
  /** The bytes that the hash of the name is made of, in hex; `undefined` where there is no name. */
  readonly channel: string | undefined;
  readonly read: readonly string[];
}

/** How a run in this browser ended, and what the node was found to lie in meanwhile. */
export type RunReply<Task extends RunTask = RunTask> = { readonly lies: readonly Lie[] } & (
  | { readonly own: Task extends LookUpTask ? OwnName : OwnRun }
  | { readonly problem: string }
);

import type { Checkpoint } from "@vedette/light";
import type { Lie } from "./Finding.js";

/** A program, and the block after which it runs in this browser. */
export interface RunRequest {
  /** The URL of the node that sends pieces of the state. */
  readonly url: string;
  readonly checkpoint: Checkpoint;
  readonly source: string;
  readonly phloLimit: bigint;
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

/** How a run in this browser ended, and what the node was found to lie in meanwhile. */
export type RunReply = { readonly lies: readonly Lie[] } & ({ readonly run: OwnRun } | { readonly problem: string });

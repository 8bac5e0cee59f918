import type { DeployNote } from "@vedette/execution";
import type { QueryReaders } from "@vedette/executor/threads";
import { type Block, encodeBlock } from "@vedette/protocol";
import { requireReported } from "./requireReported.js";

/** Provides why deploys of blocks failed, and what they wrote. */
export interface NotePort {
  /** For each deploy, the same at every call. @throws Error when they are not available now */
  notesOf(block: Block, signal: AbortSignal): Promise<readonly DeployNote[]>;
}

/** Longest time that a reader looks for them. */
const timeoutMs = 60_000;

/** Notes as they were taken when a block was executed here. @spec 41 §8.4 */
export function notePortOf(readers: QueryReaders): NotePort {
  return {
    async notesOf(block, signal) {
      const call = { block: encodeBlock(block), invalidBlocks: [], timeoutMs };
      return requireReported(await readers.call("notes", call, timeoutMs, { signal }));
    },
  };
}

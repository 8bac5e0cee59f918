import { rmSync } from "node:fs";
import { equalBytes } from "@vedette/crypto";
import { stateImportOf } from "@vedette/executor";
import { type Block, type Bond, type Dialect, encodeBlock } from "@vedette/protocol";
import type { SegmentExecution } from "@vedette/sync";
import { type BackgroundWorkLimiter, startBackgroundExecutor, untilItMayWork } from "./secondExecutor.js";

/** Where a segment's states are. */
export interface SegmentPlace {
  readonly directory: string;
  /** The dialect of the states. */
  readonly dialect: Dialect["name"];
  /** Room of the disk that no write begins to take, in bytes. */
  readonly reserveBytes: number;
}

/**
 * Opens the states of a segment, in a folder of their own, and a thread that executes its blocks.
 *
 * @throws {StoreError}; the file system's error
 * @spec 40 §20.1
 */
export async function openSegment(
  { directory, dialect, reserveBytes }: SegmentPlace,
  patience: BackgroundWorkLimiter,
): Promise<SegmentExecution> {
  const thread = await startBackgroundExecutor({ stateDirectory: directory, dialect, reserveBytes });
  return {
    state: stateImportOf(thread),
    async replay(block) {
      await untilItMayWork(patience);
      const { preStateHash } = block.body.state;
      const answer = await thread.replay({ block: encodeBlock(block), preState: preStateHash, invalidBlocks: [] });
      patience.onReplayed();
      return answer.kind === "replayed" && leadsWhereItSays(block, answer);
    },
    async flush() {
      await thread.flush([]);
    },
    async [Symbol.asyncDispose]() {
      await thread[Symbol.asyncDispose]();
      if (!patience.signal.aborted) rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Replayed {
  readonly postStateHash: Uint8Array;
  readonly bonds?: readonly Bond[];
}

function leadsWhereItSays({ body: { state } }: Block, { postStateHash, bonds = [] }: Replayed): boolean {
  if (!equalBytes(state.postStateHash, postStateHash) || state.bonds.length !== bonds.length) return false;
  const stakes = new Map(bonds.map(({ validator, stake }) => [Buffer.from(validator).toString("latin1"), stake]));
  return state.bonds.every(({ validator, stake }) => stakes.get(Buffer.from(validator).toString("latin1")) === stake);
}

import { setTimeout as sleep } from "node:timers/promises";
import { stateImportOf } from "@vedette/executor";
import {
  type ExecutorClient,
  type ExecutorPlace,
  startExecutorThread,
  withOperations,
} from "@vedette/executor/threads";
import { type Block, type BlockCodec, decodeBlock } from "@vedette/protocol";
import type { Segments } from "@vedette/sync";
import { makeFolders } from "../machine/makeFolders.js";

/** When an executor may work. */
export interface BackgroundWorkLimiter {
  /** Called before each block. */
  readonly mayWork: () => boolean;
  /** Called after each executed block. */
  readonly onReplayed: () => void;
  readonly signal: AbortSignal;
}

/** The parts that the executor of a second chain works with. */
export interface VerificationExecutorOptions {
  /** Height of the block to be proven: what is above it is not executed. */
  readonly target: bigint;
  readonly segments: Pick<Segments, "isReplayed" | "provideState">;
  /** The bytes of a block that was judged before. */
  readonly findBytes: (hash: Uint8Array) => Uint8Array | undefined;
  /** The encoding of the blocks. */
  readonly form: BlockCodec;
  readonly patience: BackgroundWorkLimiter;
}

type ReplayCall = Parameters<ExecutorClient["replay"]>[0];

const lookMs = 50;

/**
 * Starts a thread that executes blocks when all others have nothing to do, from the empty state in a folder of its own.
 *
 * @throws {StoreError}; the file system's error
 */
export async function startBackgroundExecutor(place: ExecutorPlace): Promise<ExecutorClient> {
  makeFolders(place.stateDirectory);
  const thread = startExecutorThread({ ...place, isInBackground: true, isGrouped: true });
  try {
    await thread.makeEmptyState();
    return thread;
  } catch (error) {
    await thread[Symbol.asyncDispose]();
    throw error;
  }
}

/** Waits while there is more important work. @throws the signal's reason */
export async function untilItMayWork({ mayWork, signal }: BackgroundWorkLimiter): Promise<void> {
  while (!mayWork()) await sleep(lookMs, undefined, { signal, ref: false });
}

/**
 * The executor of a second chain: it waits for more important work, and executes nothing that a segment has executed
 * from the same state, and nothing above the block to be proven.
 *
 * @spec 40 §20.1
 */
export function secondExecutor(
  thread: ExecutorClient,
  { target, segments, findBytes, form, patience }: VerificationExecutorOptions,
): { readonly executor: ExecutorClient; readonly isBusy: () => boolean } {
  const state = stateImportOf(thread);
  const { signal } = patience;
  const decode = (bytes: Uint8Array): Block => decodeBlock(bytes, form);
  const execute = (bytes: Uint8Array, preState: Uint8Array) =>
    thread.replay({ block: bytes, preState, invalidBlocks: [] });

  /** Executes the blocks of a segment, from a block with a stored state on, so that another one can go on from it. */
  const executeBelow = async ({ parents }: Block): Promise<void> => {
    const below: Uint8Array[] = [];
    for (let hash = parents[0]; hash !== undefined; ) {
      const bytes = findBytes(hash);
      if (bytes === undefined) break;
      below.push(hash);
      const parent = decode(bytes);
      if (await thread.hasRoot(parent.body.state.preStateHash)) break;
      hash = parent.parents[0];
    }
    for (const hash of below.reverse()) {
      await untilItMayWork(patience);
      const bytes = findBytes(hash)!;
      await execute(bytes, decode(bytes).body.state.preStateHash);
      patience.onReplayed();
    }
  };

  /** @returns the thread's answer, or `undefined` where a segment has one */
  const begin = async (call: ReplayCall) => {
    const { preState } = call;
    const block = decode(call.block);
    // It would be waited for, and for the state that it begins with, when all is proven.
    if (block.number > target) throw new Error(`block #${block.number} is above #${target}, which is to be proven`);
    await untilItMayWork(patience);
    const asked = { bytes: call.block, number: block.number, preState };
    if (call.invalidBlocks.length === 0 && (await segments.isReplayed(asked, signal))) return undefined;
    // A block with a parent that was executed elsewhere.
    if (!(await thread.hasRoot(preState)))
      await segments.provideState(preState, state, undefined, signal).catch(() => executeBelow(block));
    return { answer: thread.replay(call) };
  };

  let pending = 0;
  let before: Promise<unknown> = Promise.resolve();
  const replay: ExecutorClient["replay"] = async (call) => {
    pending += 1;
    try {
      // One after the other, so that the state which a block leaves is there for the next one.
      const begun = before.then(() => begin(call));
      before = begun.catch(() => undefined);
      const executed = await begun;
      if (executed === undefined) {
        const { postStateHash, bonds } = decode(call.block).body.state;
        return { kind: "replayed", postStateHash, bonds };
      }
      const answer = await executed.answer;
      patience.onReplayed();
      return answer;
    } finally {
      pending -= 1;
    }
  };
  return { executor: withOperations(thread, { replay }), isBusy: () => pending > 0 };
}

import type { Dialect } from "@vedette/protocol";
import { type LmdbOptions, LmdbStore, tablesOf } from "@vedette/store";
import { openOriginLink, type PieceSource } from "../origin/originLink.js";
import { endProcess } from "../thread/endProcess.js";
import { gcIntervalMs } from "../thread/restBeat.js";
import { type ThreadMemoryLimits, usualEndMs } from "../thread/ThreadMemoryMonitor.js";
import { type ExecutorClient, executorClientOf } from "./ExecutorClient.js";
import { type ExecutorSettings, ExecutorThread, ExecutorThreads } from "./ExecutorThreads.js";

/** Where the executor's states are. */
export interface ExecutorPlace {
  readonly stateDirectory: string;
  /** The dialect of the states. */
  readonly dialect: Dialect["name"];
  /** Source of nodes and leaves that the store lacks, when the states are another node's. */
  readonly pieces?: PieceSource | undefined;
  /** Whether the thread gives way to all other work of this process. */
  readonly isInBackground?: boolean;
  /** Whether states are held in memory until `flush`; until then only this thread can read them. */
  readonly isGrouped?: boolean;
  /** Whether states are held like that while `hold` requires it. */
  readonly mayHold?: boolean;
  /**
   * Whether the states belong to another node, which may be running. They are only read and compared with their hashes;
   * new states are discarded with the thread.
   */
  readonly isScratch?: boolean;
  /** Whether it only takes states that others have made; left out: it executes. */
  readonly adoptsOnly?: boolean;
  /** Whether the thread ends when it has had nothing to do for long; the next call starts another one. */
  readonly endsWhenIdle?: boolean;
  /** Free disk space in bytes below which no write begins; left out: none. */
  readonly reserveBytes?: number;
  /** Called with the reason before the process ends, as no thread can write any more; left out: it is printed. */
  readonly onStuck?: ((reason: string) => void) | undefined;
}

/** The limits of the executor's thread. */
export interface ExecutorLimits {
  readonly heapSizeMb: number;
  /** Heap for young objects; left out: the default of executing threads. */
  readonly youngSizeMb?: number;
  /** Bounds how deep programs and terms may nest; left out: the default of executing threads. */
  readonly stackSizeMb?: number;
  readonly rest: ThreadMemoryLimits;
}

/** It makes little that dies at once. */
const adoptingYoungSizeMb = 8;
const defaultLimits: ExecutorLimits = {
  heapSizeMb: 1024,
  rest: {
    maxBytes: 384 << 20,
    // Full caches, and as much again for the rest of what it works with.
    idleHeapBytes: 224 << 20,
    idleStackBytes: 8 << 20,
    garbageBytes: 32 << 20,
    longestGarbageMs: gcIntervalMs,
    idleMs: 5_000,
    longestMs: 10_000,
    minAgeMs: 30_000,
  },
};

const stuckExitCode = 1;

function stuckText(stateDirectory: string): string {
  return (
    `The executor stopped while it wrote ${stateDirectory}, as a full heap stops it, and cannot release the store. ` +
    "The process ends; start it again. Nothing that was complete is lost."
  );
}

function printStuck(reason: string): void {
  process.stderr.write(`vedette: ${reason}\n`);
}

/**
 * Starts the executor on a thread of its own. The thread may end while it works, above all when a hostile block takes
 * all of its memory: that call fails, and the next one gets a new thread on the same store. A thread that keeps much
 * memory is replaced between two calls.
 */
export function startExecutorThread(
  { stateDirectory, pieces, endsWhenIdle = false, onStuck = printStuck, ...how }: ExecutorPlace,
  limits: Partial<ExecutorLimits> = {},
): ExecutorClient {
  const { rest, ...thread } = {
    ...defaultLimits,
    ...(how.adoptsOnly === true ? { youngSizeMb: adoptingYoungSizeMb } : {}),
    ...limits,
  };
  const start = (isReplacement: boolean) => {
    const origin = pieces === undefined ? undefined : openOriginLink(pieces);
    return new ExecutorThread({ stateDirectory, origin, isReplacement, ...how }, thread, () => {
      onStuck(stuckText(stateDirectory));
      endProcess(stuckExitCode);
    });
  };
  const keepOpen = () => openStateStore({ stateDirectory, isReplacement: true });
  const threads = new ExecutorThreads({
    start,
    keepOpen: how.isScratch === true ? undefined : keepOpen,
    limits: endsWhenIdle ? { endMs: usualEndMs, ...rest } : rest,
  });
  return executorClientOf(
    (operation, argument) => threads.call(operation, argument),
    () => threads.close(),
  );
}

/** Opens the state store for its one writer, or for reading. @throws {StoreError} */
export function openStateStore({
  stateDirectory,
  isScratch = false,
  isReplacement = false,
  reserveBytes,
  beforeWrite,
}: Pick<ExecutorSettings, "stateDirectory" | "isScratch" | "isReplacement" | "reserveBytes"> &
  Pick<LmdbOptions, "beforeWrite">): LmdbStore {
  const looksThrough = !isScratch && !isReplacement;
  const options = { tables: tablesOf("state"), readOnly: isScratch, looksThrough, reserveBytes, beforeWrite };
  return new LmdbStore(stateDirectory, options);
}

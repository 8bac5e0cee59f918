// The users of threads, without the modules that the threads load for their work.
export {
  type ExecutorClient,
  type ExecutorOperation,
  executorClientOf,
  withOperations,
} from "./executor/ExecutorClient.js";
export { type ExecutorPlace, openStateStore, startExecutorThread } from "./executor/executor.js";
export { OriginError, type PieceSource } from "./origin/originLink.js";
export { isBehind } from "./reader/isBehind.js";
export { type QueryReaders, ReaderPool, ReaderPoolError } from "./reader/ReaderPool.js";
export {
  type BeginRead,
  explorationShareOf,
  ReadScheduler,
  readShareOf,
  type TakeTurn,
} from "./reader/ReadScheduler.js";
export { answerCalls, memoryOfThreads, type OnWorked, RemoteError, ThreadCalls } from "./thread/calls.js";
export { collectGarbageWhenIdle } from "./thread/collectGarbageWhenIdle.js";
export { isOutOfMemory, startDeepThread } from "./thread/deepStack.js";
export { lowerPriority } from "./thread/niceness.js";
export { type HeldMemory, heldMemory, privateMemory } from "./thread/privateMemory.js";
export { gcIntervalMs, processMonotonicMs } from "./thread/restBeat.js";
export { returnFreedMemory } from "./thread/returnFreedMemory.js";

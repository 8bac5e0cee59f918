// Run as a separate program by `replacedThreads.process.test.ts`: threads run compiled modules only.
// node endedThreads.js <state directory>: replays our own chain and reads its states, on threads that end between two calls.
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { decodeBlock, rnode } from "@vedette/protocol";
import { ownChain, recordedBlocks } from "@vedette/testing";
import { startExecutorThread } from "../executor/executor.js";
import { ReaderPool } from "../reader/ReaderPool.js";

const [stateDirectory] = process.argv.slice(2) as [string];
const much = 1 << 30;
const never = 3_600_000;
const rest = {
  ...{ maxBytes: much, idleHeapBytes: much, idleStackBytes: much, garbageBytes: much, longestGarbageMs: never },
  ...{ idleMs: never, longestMs: never, minAgeMs: never, endMs: 20 },
};
let threads = 0;
let isLastOver: Promise<unknown> = Promise.resolve();
process.on("worker", (worker: Worker) => {
  threads += 1;
  isLastOver = once(worker, "exit");
});

const executor = startExecutorThread({ stateDirectory, endsWhenIdle: true }, { rest });
await executor.makeEmptyState();
await using readers = new ReaderPool({ stateDirectory, dialect: rnode.name, threads: 2, maxWaiting: 9, rest });
const answers: boolean[] = [];
for (const { bytes } of recordedBlocks(ownChain).slice(0, 2)) {
  await isLastOver;
  const { preStateHash: preState, postStateHash } = decodeBlock(bytes, rnode.blockForm).body.state;
  // Both come while no thread is there, or while one is ending.
  const [answer, again] = await Promise.all([
    executor.replay({ block: bytes, preState, invalidBlocks: [] }),
    executor.hasRoot(preState),
  ]);
  const isRight = answer.kind === "replayed" && Buffer.compare(answer.postStateHash, postStateHash) === 0;
  await isLastOver;
  const [isHere] = await readers.call("areHere", [postStateHash], 30_000);
  answers.push(isRight && again && isHere === true);
}
await isLastOver;
process.stdout.write(`${JSON.stringify({ answers, threads })}\n`);
await executor[Symbol.asyncDispose]();

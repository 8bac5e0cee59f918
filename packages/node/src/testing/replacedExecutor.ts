// Run as a program of its own by `replacedThreads.test.ts`: threads run compiled modules only.
// node replacedExecutor.js <state directory>: replays a recorded chain, or goes on with it, on threads that are replaced
// after every answer.
import { decodeBlock } from "@vedette/protocol";
import { recordedBlocks } from "@vedette/testing";
import { startExecutorThread } from "../thread/executor.js";
import { everyAnswer } from "./everyAnswer.js";

const [stateDirectory] = process.argv.slice(2) as [string];
const lastNumber = 5n;
let threads = 0;
process.on("worker", () => (threads += 1));

const executor = startExecutorThread({ stateDirectory }, { rest: everyAnswer });
await executor.makeEmptyState();
for (const { bytes } of recordedBlocks("solo")) {
  const { number, body } = decodeBlock(bytes);
  if (number > lastNumber) break;
  const { preStateHash: preState, postStateHash } = body.state;
  if (await executor.hasRoot(postStateHash)) continue;
  // The second is asked before the first is answered, perhaps of another thread.
  const [answer, isKept] = await Promise.all([
    executor.replay({ block: bytes, preState, invalidBlocks: [] }),
    executor.hasRoot(postStateHash),
  ]);
  const isRight = answer.kind === "replayed" && Buffer.compare(answer.postStateHash, postStateHash) === 0;
  process.stdout.write(`${JSON.stringify({ number: Number(number), isRight, isKept })}\n`);
}
await executor[Symbol.asyncDispose]();
process.stdout.write(`${JSON.stringify({ threads })}\n`);

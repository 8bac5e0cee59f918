// Run as a separate program by `replacedThreads.process.test.ts`: threads run compiled modules only.
// node replacedExecutor.js <state directory>: replays our own chain, or goes on with it, on threads that are replaced
// after every answer.
import { fromHex } from "@vedette/crypto";
import { decodeBlock, rnode } from "@vedette/protocol";
import { ownChain, recordedBlocks } from "@vedette/testing";
import { startExecutorThread } from "../executor/executor.js";
import { everyAnswer } from "./everyAnswer.js";

const [stateDirectory] = process.argv.slice(2) as [string];
const lastPlace = 5;
let threads = 0;
process.on("worker", () => (threads += 1));

const executor = startExecutorThread({ stateDirectory, dialect: "rnode" }, { rest: everyAnswer });
await executor.makeEmptyState();
const blocks = recordedBlocks(ownChain);
const bytesOf = new Map(blocks.map(({ bytes, facts }) => [facts.hash, bytes]));
for (const [place, { bytes, facts }] of blocks.slice(0, lastPlace + 1).entries()) {
  const { preStateHash: preState, postStateHash } = decodeBlock(bytes, rnode.blockForm).body.state;
  if (await executor.hasRoot(postStateHash)) continue;
  const { merged } = facts;
  if (merged !== undefined)
    await executor.merge({
      baseState: fromHex(merged.baseState),
      blocks: merged.blocks.map((hash) => bytesOf.get(hash)!),
    });
  // The second call is made before the first is answered, perhaps by another thread.
  const [answer, isKept] = await Promise.all([
    executor.replay({ block: bytes, preState, invalidBlocks: [] }),
    executor.hasRoot(postStateHash),
  ]);
  const isRight = answer.kind === "replayed" && Buffer.compare(answer.postStateHash, postStateHash) === 0;
  process.stdout.write(`${JSON.stringify({ place, isRight, isKept })}\n`);
}
await executor[Symbol.asyncDispose]();
process.stdout.write(`${JSON.stringify({ threads })}\n`);

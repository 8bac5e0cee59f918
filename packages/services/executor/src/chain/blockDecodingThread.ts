import { parentPort, workerData } from "node:worker_threads";
import { decodeBlock, findDialect, WireError } from "@vedette/protocol";
import { factsOf } from "../executor/blockFacts.js";
import { confineThread } from "../thread/confineThread.js";
import { lowerPriority } from "../thread/niceness.js";
import type { DecodeAnswer, DecodeCall, DecodingThreadData } from "./PeerBlockDecoder.js";

lowerPriority("reader");
confineThread();

const dialect = findDialect((workerData as DecodingThreadData).dialect)!;

parentPort!.on("message", ({ content }: DecodeCall) => {
  // The block's memory is transferred back to the caller, not copied.
  const moved = content.byteLength === content.buffer.byteLength ? [content.buffer as ArrayBuffer] : [];
  parentPort!.postMessage(answer(content), moved);
});

function answer(content: Uint8Array): DecodeAnswer {
  try {
    return { content, facts: factsOf(decodeBlock(content, dialect.blockForm), dialect) };
  } catch (error) {
    if (error instanceof WireError) return { content, failure: error.failure };
    throw error;
  }
}

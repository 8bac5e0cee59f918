import { compareByLengthThenBytes } from "@vedette/crypto";
import { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import {
  type BindPattern,
  encodeBindPattern,
  type ListParWithRandom,
  sizeOfBindPattern,
  sizeOfContinuation,
  sizeOfListParWithRandom,
  type TaggedContinuation,
  writeBindPattern,
  writeContinuation,
  writeListParWithRandom,
} from "@vedette/terms";
import { sortHashes } from "./channelsHash.js";
import { VectorBuffer } from "./VectorBuffer.js";

/** Eight equal bits represent a flag. @spec 30 §2.3 */
const persistentByte = 0xff;
const transientByte = 0x00;
const buffer = new VectorBuffer();

/** The event of a produce. @spec 30 §2.3 */
export function produceEvent(channelHash: Uint8Array, data: ListParWithRandom, persist: boolean): ProduceEvent {
  buffer.start(3);
  buffer.add(channelHash);
  writeListParWithRandom(buffer.begin(sizeOfListParWithRandom(data)), data);
  buffer.byte(persist ? persistentByte : transientByte);
  return new ProduceEvent(channelHash, buffer.hash(), persist);
}

/**
 * The event of a consume. Channels and patterns are sorted each for themselves, so that the order of the
 * binds leaves no trace in it; neither do the peeks.
 *
 * @spec 30 §2.4
 */
export function consumeEvent(
  channelHashes: readonly Uint8Array[],
  patterns: readonly BindPattern[],
  continuation: TaggedContinuation,
  persist: boolean,
): ConsumeEvent {
  const sortedHashes = sortHashes(channelHashes);
  if (patterns.length === 1) {
    const pattern = patterns[0]!;
    buffer.start(sortedHashes.length + 3);
    for (const hash of sortedHashes) buffer.add(hash);
    writeBindPattern(buffer.begin(sizeOfBindPattern(pattern)), pattern);
  } else {
    const sortedPatterns = patterns.map(encodeBindPattern).sort(compareByLengthThenBytes);
    buffer.start(sortedHashes.length + sortedPatterns.length + 2);
    for (const hash of sortedHashes) buffer.add(hash);
    for (const pattern of sortedPatterns) buffer.add(pattern);
  }
  writeContinuation(buffer.begin(sizeOfContinuation(continuation)), continuation);
  buffer.byte(persist ? persistentByte : transientByte);
  return new ConsumeEvent(sortedHashes, buffer.hash(), persist);
}

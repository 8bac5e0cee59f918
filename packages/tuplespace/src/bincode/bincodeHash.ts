import { compareBytes } from "@vedette/crypto";
import { BincodeWriter, type HashedPart, hashOfParts } from "@vedette/terms";
import { sortHashes } from "../event/channelsHash.js";

const persistentByte = Uint8Array.of(1);
const transientByte = Uint8Array.of(0);

/** The encoding of several items in the order given: their number, then each with its length. @spec 61 §2.1 */
export function bincodeVector(items: readonly Uint8Array[]): Uint8Array {
  let size = 8;
  for (const item of items) size += 8 + item.length;
  const writer = new BincodeWriter(size);
  writer.count(items.length);
  for (const item of items) writer.counted(item);
  return writer.finish();
}

/**
 * The hash of a produce on networks of the newer node.
 *
 * @spec 61 §2.1
 * @param data its `ListParWithRandom` in bincode
 */
export function bincodeProduceHash(channelHash: Uint8Array, data: HashedPart, persist: boolean): Uint8Array {
  return hashOfParts([channelHash, data, persist ? persistentByte : transientByte]);
}

/** What of a consume is hashed: each in bincode. */
export interface HashedConsume {
  readonly channelHashes: readonly Uint8Array[];
  readonly patterns: readonly Uint8Array[];
  /** A `TaggedContinuation`: the guard is part of it. */
  readonly continuation: HashedPart;
  readonly persist: boolean;
}

/** The hash of a consume on networks of the newer node. @spec 61 §2.1 */
export function bincodeConsumeHash({ channelHashes, patterns, continuation, persist }: HashedConsume): Uint8Array {
  const hashes = sortHashes(channelHashes);
  const sortedPatterns = patterns.slice().sort(compareBytes);
  const flag = persist ? persistentByte : transientByte;
  return hashOfParts([...hashes, ...sortedPatterns, continuation, flag]);
}

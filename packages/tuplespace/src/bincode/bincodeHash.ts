import { blake2b256, compareBytes } from "@vedette/crypto";
import { BincodeWriter } from "@vedette/terms";
import { sortHashes } from "../event/channelsHash.js";

const persistentByte = Uint8Array.of(1);
const transientByte = Uint8Array.of(0);

/** The encoding of several items in the order given: their number, then each with its length. @spec 61 §2.1 */
export function bincodeVector(items: readonly Uint8Array[]): Uint8Array {
  let size = 8;
  for (const item of items) size += 8 + item.length;
  const writer = new BincodeWriter(size);
  writeVector(writer, items);
  return writer.finish();
}

function writeVector(writer: BincodeWriter, items: readonly Uint8Array[]): void {
  writer.count(items.length);
  for (const item of items) writer.counted(item);
}

/** What is only hashed is written here. */
const hashed = new BincodeWriter(1 << 14);

/** Blake2b-256 of {@link bincodeVector}. */
function hashOfVector(items: readonly Uint8Array[]): Uint8Array {
  hashed.restart();
  writeVector(hashed, items);
  return blake2b256(hashed.written);
}

/**
 * The hash of a produce on networks of the newer node.
 *
 * @spec 61 §2.1
 * @param data its `ListParWithRandom` in bincode
 */
export function bincodeProduceHash(channelHash: Uint8Array, data: Uint8Array, persist: boolean): Uint8Array {
  return hashOfVector([channelHash, data, persist ? persistentByte : transientByte]);
}

/** What of a consume is hashed: each in bincode. */
export interface HashedConsume {
  readonly channelHashes: readonly Uint8Array[];
  readonly patterns: readonly Uint8Array[];
  /** A `TaggedContinuation`: the guard is part of it. */
  readonly continuation: Uint8Array;
  readonly persist: boolean;
}

/** The hash of a consume on networks of the newer node. @spec 61 §2.1 */
export function bincodeConsumeHash({ channelHashes, patterns, continuation, persist }: HashedConsume): Uint8Array {
  const hashes = sortHashes(channelHashes);
  const sortedPatterns = patterns.slice().sort(compareBytes);
  const flag = persist ? persistentByte : transientByte;
  return hashOfVector([...hashes, ...sortedPatterns, continuation, flag]);
}

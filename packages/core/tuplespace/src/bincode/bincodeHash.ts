import { compareBytes } from "@vedette/crypto";
import { type HashedPart, hashOfParts } from "@vedette/terms";
import { sortHashes } from "../event/channelsHash.js";

const persistentByte = Uint8Array.of(1);
const transientByte = Uint8Array.of(0);

/**
 * The hash of a produce on f1r3node networks.
 *
 * @spec 61 §2.1
 * @param data its `ListParWithRandom` in bincode
 */
export function bincodeProduceHash(channelHash: Uint8Array, data: HashedPart, persist: boolean): Uint8Array {
  return hashOfParts([channelHash, data, persist ? persistentByte : transientByte]);
}

/** The hashed parts of a consume: each in bincode. */
export interface HashedConsume {
  readonly channelHashes: readonly Uint8Array[];
  /** Several are sorted by their bytes. */
  readonly patterns: readonly [HashedPart] | readonly Uint8Array[];
  /** A `TaggedContinuation`: the guard is part of it. */
  readonly continuation: HashedPart;
  readonly persist: boolean;
}

/** The hash of a consume on f1r3node networks. @spec 61 §2.1 */
export function bincodeConsumeHash({ channelHashes, patterns, continuation, persist }: HashedConsume): Uint8Array {
  const hashes = sortHashes(channelHashes);
  const sortedPatterns = isOne(patterns) ? patterns : patterns.slice().sort(compareBytes);
  const flag = persist ? persistentByte : transientByte;
  return hashOfParts([...hashes, ...sortedPatterns, continuation, flag]);
}

function isOne(patterns: HashedConsume["patterns"]): patterns is readonly [HashedPart] {
  return patterns.length === 1;
}

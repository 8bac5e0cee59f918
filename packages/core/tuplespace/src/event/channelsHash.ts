import { blake2b256, blake2b256Of, compareBytes } from "@vedette/crypto";

/**
 * The hash of a list of channels, whatever their order. Of one channel it is the hash of the channel's hash.
 *
 * @spec 30 §2.2
 */
export function channelsHash(channelHashes: readonly Uint8Array[]): Uint8Array {
  return channelHashes.length === 1 ? blake2b256(channelHashes[0]!) : blake2b256Of(sortHashes(channelHashes));
}

/** Hashes in ascending order; duplicates are kept. @spec 30 §2.2 */
export function sortHashes(hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  return hashes.length < 2 ? hashes : hashes.slice().sort(compareBytes);
}

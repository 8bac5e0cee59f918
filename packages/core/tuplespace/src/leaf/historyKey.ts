import type { LeafKind } from "./LeafError.js";

const keyLength = 33;
/** By their first bytes. */
const kinds: readonly LeafKind[] = ["data", "continuations", "joins"];

/** The history key of the data of a channel. @spec 30 §4.2 */
export function dataKey(channelHash: Uint8Array): Uint8Array {
  return historyKey(0x00, channelHash);
}

/** The history key of the continuations of a list of channels. @spec 30 §4.2 */
export function continuationsKey(channelsHash: Uint8Array): Uint8Array {
  return historyKey(0x01, channelsHash);
}

/** The history key of the joins of a channel. @spec 30 §4.2 */
export function joinsKey(channelHash: Uint8Array): Uint8Array {
  return historyKey(0x02, channelHash);
}

/** Returns the kind of leaves under the keys that begin with this byte; `undefined` if there is none. @spec 30 §4.2 */
export function kindOfKeys(firstByte: number): LeafKind | undefined {
  return kinds[firstByte];
}

function historyKey(prefix: number, hash: Uint8Array): Uint8Array {
  const key = new Uint8Array(keyLength);
  key[0] = prefix;
  key.set(hash, 1);
  return key;
}

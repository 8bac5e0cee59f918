/** The keys of the table `eventLog`: facts of the log, then its entries. */
export const factsKey = Uint8Array.of(0);
const entryPrefix = 1;
const entryKeyBytes = 9;

/** Where an entry stands; entries are in the order of their numbers. */
export function entryKey(number: number): Uint8Array {
  const key = new Uint8Array(entryKeyBytes);
  key[0] = entryPrefix;
  new DataView(key.buffer).setBigUint64(1, BigInt(number));
  return key;
}

/** The number of an entry; `undefined` for the key of something else. */
export function entryNumber(key: Uint8Array): number | undefined {
  if (key.length !== entryKeyBytes || key[0] !== entryPrefix) return undefined;
  return Number(new DataView(key.buffer, key.byteOffset).getBigUint64(1));
}

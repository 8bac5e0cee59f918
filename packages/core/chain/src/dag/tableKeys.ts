/** The single entries of the table `lastFinalized`. */
export const finalizedKeys = { lastFinalized: Uint8Array.of(0), approved: Uint8Array.of(1) } as const;

const signBit = 1n << 63n;

/** Encodes a 64-bit number so that byte order is numeric order. */
export function numberKey(number: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt.asUintN(64, number + signBit));
  return key;
}

/** The number of a {@link numberKey}. */
export function keyNumber(key: Uint8Array): bigint {
  return new DataView(key.buffer, key.byteOffset, 8).getBigUint64(0) - signBit;
}

/** Height, then hash. */
export function heightKey(height: bigint, hash: Uint8Array): Uint8Array {
  return pairKey(numberKey(height), hash);
}

/** Two parts after each other; the first has a fixed length. */
export function pairKey(first: Uint8Array, second: Uint8Array): Uint8Array {
  const key = new Uint8Array(first.length + second.length);
  key.set(first);
  key.set(second, first.length);
  return key;
}

/** The first key that does not begin with this prefix; `undefined` when there is none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const last = prefix[length - 1] ?? 0;
    if (last === 0xff) continue;
    const after = prefix.slice(0, length);
    after[length - 1] = last + 1;
    return after;
  }
  return undefined;
}

/** Height, then hash, so that the lowest undecided block comes first. */
export function undecidedKey(height: bigint, hash: Uint8Array): Uint8Array {
  const key = new Uint8Array(8 + hash.length);
  // Heights of valid blocks are not negative.
  new DataView(key.buffer).setBigUint64(0, BigInt.asUintN(64, height));
  key.set(hash, 8);
  return key;
}

/** Height and hash of an {@link undecidedKey}. */
export function undecidedBlock(key: Uint8Array): { readonly height: bigint; readonly hash: Uint8Array } {
  return { height: new DataView(key.buffer, key.byteOffset).getBigUint64(0), hash: key.slice(8) };
}

// The constants of every form of BLAKE2b's compression function.

/** The initial chain values of BLAKE2b. @spec 21 §2.1 */
export const blake2bInitial: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/** Bits of the `flags` of {@link Blake2bCompression.compress}. @spec 21 §2.1 */
export const finalFlag = 1;
/** Marks the root of a tree: what the generator draws is compressed with it. @spec 21 §2.1 */
export const rootFlag = 2;

/**
 * BLAKE2b's compression function with all its parameters, on addresses of one memory.
 *
 * A chain is 80 bytes: eight 64-bit words, then the counter's low and high word, all little-endian.
 *
 * @spec 21 §2.1
 */
export type Blake2bCompression = {
  readonly memory: { readonly buffer: ArrayBuffer };

  /**
   * Compresses one block.
   *
   * @param chain   address of the 80 bytes of the chain before
   * @param block   address of 112 bytes, the message words 0 to 13
   * @param tail    address of 16 bytes, the message words 14 and 15 (`block + 112` for plain hashing)
   * @param counted by how much the counter grows
   * @param flags   `finalFlag`, `rootFlag` or both
   * @param out     address where the 80 bytes of the new chain go; it may be `chain`
   */
  compress(chain: number, block: number, tail: number, counted: number, flags: number, out: number): void;

  /** Compresses one or more whole blocks that lie side by side into the chain, none of them final. */
  absorb(chain: number, block: number, count: number): void;
};

/** @spec 21 §2.1 */
export const rounds = 12;
/** Which words of the message each round takes. @spec 21 §2.1 */
export const wordOrders: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/** Which words of the state each mixing takes. @spec 21 §2.1 */
export const lanes: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

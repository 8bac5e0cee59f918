/**
 * A splittable generator of unforgeable names. `next` and `skip` change the generator; `split…`, `copy`, `fork` and the
 * merge of its form make new ones and leave theirs as they are.
 *
 * @spec 21 §2
 */
export interface Random<Self> {
  /** The next 32 bytes. @spec 21 §2.2 */
  next(): Uint8Array;
  /**
   * Advances as the same number of calls of {@link next} would, without their values.
   *
   * @cost two compressions at most, however many are skipped
   */
  skip(count: number): void;
  /** A generator with the same state, except that an unused half is dropped. @spec 21 §2.2 */
  copy(): Self;
  /** A generator with the same state, which goes its own way from here. */
  fork(): Self;
  /** A new generator for the part with this number; its low 8 bits count. @spec 21 §2.2 */
  splitByte(index: number): Self;
  /** A new generator for the part with this number; its low 16 bits count. @spec 21 §2.2 */
  splitShort(index: number): Self;
  /** The serialized state; shared, not to be changed. @spec 21 §2.3, 61 §2.4 */
  toBytes(): Uint8Array;
}

/**
 * How a dialect's generators come to be. Both dialects' draw and split alike; they differ in what is serialized, and
 * after long paths and large merges.
 *
 * @spec 21 §2, 61 §2.4
 */
export interface RandomForm<Generator extends Random<Generator>> {
  /** The generator of a seed of any length. @spec 21 §2.2 */
  fromSeed(seed: Uint8Array): Generator;
  /** Restores a generator from its state. @throws {RandomError} `stateMalformed` */
  fromBytes(state: Uint8Array): Generator;
  /** Joins generators into one that depends on all of them and on their order. @throws {RandomError} `tooFewToMerge` */
  merge(children: readonly Generator[]): Generator;
}

import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";

/** Answers with one and the same content under a wrong hash, after which the content is taken to be the block. */
const convincing = 4;
/** Hashes that are remembered. */
const capacity = 1_000;

interface Copies {
  contentKey: string;
  count: number;
}

/**
 * Blocks whose hash is not their content's.
 *
 * A validator that makes such a block is to be punished for it (40 §5.1, check 1), so it must not be refused for
 * ever. But the signature covers the stated hash alone: any peer can put another content under an honest block's
 * hash. Each wrong copy is therefore asked for anew, from another peer where there is one, and an honest copy
 * settles the matter; only when the same wrong content comes again and again is it taken.
 *
 * @spec 40 §5.9
 */
export class HashMismatchTracker {
  readonly #seen = new Map<string, Copies>();

  /**
   * Notes one more copy.
   *
   * @param hash        what the copy says of itself
   * @param contentHash what it is
   * @returns whether the content is to be taken
   */
  note(hash: Uint8Array, contentHash: Uint8Array): boolean {
    const key = hashKey(hash);
    const contentKey = hashKey(contentHash);
    const before = this.#seen.get(key);
    const count = before?.contentKey === contentKey ? before.count + 1 : 1;
    this.#seen.delete(key);
    if (count >= convincing) return true;
    this.#seen.set(key, { contentKey, count });
    dropOldest(this.#seen, capacity);
    return false;
  }
}

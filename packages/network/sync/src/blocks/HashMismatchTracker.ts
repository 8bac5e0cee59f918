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
 * Tracks blocks with a hash that is not their content's.
 *
 * A validator that makes such a block is to be punished for it (40 §5.1, check 1), so it must not be refused for ever.
 * But the signature covers the stated hash alone: any peer can put another content under an honest block's hash. After
 * each wrong copy the block is therefore requested anew, from another peer if there is one, and an honest copy settles
 * the matter. Wrong content is accepted only when it comes again and again.
 *
 * @spec 40 §5.9
 */
export class HashMismatchTracker {
  readonly #seen = new Map<string, Copies>();

  /**
   * Notes one more copy.
   *
   * @param hash the hash that the copy states
   * @param contentHash the hash of its content
   * @returns whether the content is accepted
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

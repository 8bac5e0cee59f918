import { blake2b256, toHex } from "@vedette/crypto";

const capacity = 8192;
const repeatMs = 10_000;
const filteredTypes: ReadonlySet<string> = new Set(["BlockHashMessage", "HasBlock"]);

/**
 * Recognises announcements that were received already, from all peers together, in order of arrival.
 *
 * Two things differ from rnode, which peers cannot observe. The tag is a cryptographic hash: with rnode's 32 bits any
 * peer could suppress the message of another. And it is forgotten after ten seconds: otherwise the answer to a second
 * HasBlockRequest, the same bytes as the first, would be dropped.
 *
 * @spec 10 §3.4
 */
export class DuplicateFilter {
  readonly #nowMs: () => number;
  readonly #seenAt = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * @param typeId  the packet's type; most are never filtered
   * @param message the bytes of the whole Protocol message, its sender included
   * @returns whether the message is a repeat; if it is not it is remembered
   */
  isRepeat(typeId: string, message: Uint8Array): boolean {
    if (!filteredTypes.has(typeId)) return false;
    const tag = toHex(blake2b256(message).subarray(0, 16));
    const now = this.#nowMs();
    const seenAt = this.#seenAt.get(tag);
    if (seenAt !== undefined && now - seenAt < repeatMs) return true;
    this.#seenAt.delete(tag);
    this.#seenAt.set(tag, now);
    this.#forgetOld(now);
    return false;
  }

  /** Announcements that are remembered: those of the last seconds. */
  get size(): number {
    return this.#seenAt.size;
  }

  #forgetOld(now: number): void {
    for (const [tag, seenAt] of this.#seenAt) {
      if (now - seenAt < repeatMs && this.#seenAt.size <= capacity) return;
      this.#seenAt.delete(tag);
    }
  }
}

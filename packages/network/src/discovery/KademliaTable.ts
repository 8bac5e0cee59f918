import { fromHex } from "@vedette/crypto";
import type { Peer } from "../Peer.js";
import { commonPrefix, keyBits } from "./distance.js";

const bucketSize = 20;

interface Entry {
  readonly peer: Peer;
  readonly key: Uint8Array;
  pinging: boolean;
}

/**
 * The peers of which this node has heard, in buckets by their distance from it.
 *
 * @spec 10 §5
 */
export class KademliaTable {
  readonly #own: Uint8Array;
  readonly #buckets: Entry[][] = Array.from({ length: keyBits }, () => []);

  /** @param ownId 40 hex digits */
  constructor(ownId: string) {
    this.#own = fromHex(ownId);
  }

  /** Every peer, the closest last. */
  get peers(): readonly Peer[] {
    return this.#buckets.flatMap((bucket) => bucket.map(({ peer }) => peer));
  }

  /** @spec 10 §5 */
  has(id: string): boolean {
    return this.#bucketOf(fromHex(id))?.some(({ peer }) => peer.id === id) ?? false;
  }

  /**
   * Records that a peer was heard of; in a full bucket it replaces the oldest one, if that no longer answers.
   *
   * @spec 10 §5
   * @param ping asks a peer for a sign of life; must not reject
   */
  async updateLastSeen(peer: Peer, ping: (peer: Peer) => Promise<boolean>): Promise<void> {
    const key = fromHex(peer.id);
    const bucket = this.#bucketOf(key);
    if (bucket === undefined) return;
    const entry: Entry = { peer, key, pinging: false };
    const known = bucket.findIndex((other) => other.peer.id === peer.id);
    if (known >= 0) bucket.splice(known, 1);
    if (bucket.length < bucketSize) {
      bucket.push(entry);
      return;
    }
    const oldest = bucket.find(({ pinging }) => !pinging);
    if (oldest === undefined) return;
    oldest.pinging = true;
    const alive = await ping(oldest.peer);
    oldest.pinging = false;
    const index = bucket.indexOf(oldest);
    if (index >= 0) bucket.splice(index, 1);
    if (alive) {
      // It may have been heard of meanwhile, and then stands in the bucket with a new entry.
      if (index >= 0) bucket.push(oldest);
    } else if (bucket.length < bucketSize && !bucket.some((other) => other.peer.id === peer.id)) {
      bucket.push(entry);
    }
  }

  /** Forgets a peer. @spec 61 §16.1 */
  remove(id: string): void {
    const bucket = this.#bucketOf(fromHex(id));
    const known = bucket?.findIndex(({ peer }) => peer.id === id) ?? -1;
    if (known >= 0) bucket?.splice(known, 1);
  }

  /**
   * The peers that are closest to a key, at most 20.
   *
   * @spec 10 §5
   */
  lookup(key: Uint8Array): Peer[] {
    const start = commonPrefix(this.#own, key);
    if (start === undefined) return [];
    const found: { entry: Entry; prefix: number }[] = [];
    const take = (index: number) => {
      for (const entry of this.#buckets[index] ?? []) {
        const prefix = commonPrefix(entry.key, key) as number;
        if (prefix < keyBits) found.push({ entry, prefix });
      }
    };
    for (let index = start; index < keyBits && found.length < bucketSize; index++) take(index);
    for (let index = Math.min(start, keyBits) - 1; index >= 0 && found.length < bucketSize; index--) take(index);
    found.sort((one, other) => other.prefix - one.prefix);
    return found.slice(0, bucketSize).map(({ entry }) => entry.peer);
  }

  /** All distances, the emptiest bucket first. @spec 10 §5 */
  sparseness(): number[] {
    const distances = Array.from(this.#buckets.keys());
    const size = (distance: number) => (this.#buckets[distance] as Entry[]).length;
    return distances.sort((one, other) => size(one) - size(other));
  }

  #bucketOf(key: Uint8Array): Entry[] | undefined {
    const distance = commonPrefix(this.#own, key);
    return distance === undefined ? undefined : this.#buckets[distance];
  }
}

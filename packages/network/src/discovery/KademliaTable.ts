import { fromHex } from "@vedette/crypto";
import { type Peer, peerKey } from "../Peer.js";
import { addressGroup } from "./addressGroup.js";
import { commonPrefix, keyBits } from "./distance.js";

const bucketSize = 20;

/** What entering a peer that was heard of may need. */
export interface HeardOf {
  /** Asks a peer for a sign of life; must not reject. */
  readonly ping: (peer: Peer) => Promise<boolean>;
  /** Told of a peer that is known at another address, and has not been moved: anybody can say where another one is. */
  readonly onMoved?: ((peer: Peer) => void) | undefined;
}

interface Entry {
  readonly peer: Peer;
  readonly key: Uint8Array;
  pinging: boolean;
}

/**
 * The peers of which this node has heard, in buckets by their distance from it.
 *
 * Messages of discovery are not signed. So what they say of a peer that is known changes nothing but when it was heard
 * of last: another address is taken when its owner has proven itself there, in a handshake. One that has done so also
 * takes the place of one of several in a full bucket that are probably of one owner, by their addresses.
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
   */
  async updateLastSeen(peer: Peer, { ping, onMoved }: HeardOf): Promise<void> {
    const key = fromHex(peer.id);
    const bucket = this.#bucketOf(key);
    if (bucket === undefined) return;
    const entry: Entry = { peer, key, pinging: false };
    const known = bucket.findIndex((other) => other.peer.id === peer.id);
    if (known >= 0 && peerKey(bucket[known]!.peer) !== peerKey(peer)) {
      onMoved?.(peer);
      return;
    }
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

  /** Records that a peer has proven itself at its address. @returns whether it is in the table @spec 10 §5 */
  enterProven(peer: Peer): boolean {
    const key = fromHex(peer.id);
    const bucket = this.#bucketOf(key);
    if (bucket === undefined) return false;
    const known = bucket.findIndex((other) => other.peer.id === peer.id);
    const place = known >= 0 ? known : placeFor(peer, bucket);
    if (place === undefined) return false;
    bucket.splice(place, 1);
    bucket.push({ peer, key, pinging: false });
    return true;
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

/** Where a peer may be put: behind the others, or for the oldest of those that have more in common than it with any. */
function placeFor(peer: Peer, bucket: readonly Entry[]): number | undefined {
  if (bucket.length < bucketSize) return bucket.length;
  const groups = bucket.map((entry) => addressGroup(entry.peer.host));
  const countOf = (group: string) => groups.filter((other) => other === group).length;
  const counts = groups.map(countOf);
  const most = Math.max(...counts);
  if (most <= countOf(addressGroup(peer.host)) + 1) return undefined;
  return counts.indexOf(most);
}

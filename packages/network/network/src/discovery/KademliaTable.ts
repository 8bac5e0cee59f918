import { fromHex } from "@vedette/crypto";
import { type Peer, peerKey } from "../Peer.js";
import { addressGroup } from "./addressGroup.js";
import { commonPrefix, keyBits } from "./distance.js";

const bucketSize = 20;

/** The table's record of a peer that an unsigned message names. */
export type NamedPeer = "known" | "knownElsewhere" | "unknown";

interface Entry {
  readonly peer: Peer;
  readonly key: Uint8Array;
  pinging: boolean;
}

/**
 * The peers that have proven to be at their recorded addresses, in buckets by their distance from this node.
 *
 * Messages of discovery are not signed. So a message that names a peer only moves a known one to the end of its bucket.
 * An address is entered when its owner has proven itself there, in a handshake. In a full bucket it replaces one of
 * several peers with addresses that suggest one owner, or the oldest peer if that does not answer.
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

  /** An unsigned message has named a peer. Moves a peer that is known at this address to the end. @spec 10 §5 */
  named(peer: Peer): NamedPeer {
    const bucket = this.#bucketOf(fromHex(peer.id));
    const known = bucket?.findIndex((other) => other.peer.id === peer.id) ?? -1;
    if (bucket === undefined || known < 0) return "unknown";
    if (peerKey(bucket[known]!.peer) !== peerKey(peer)) return "knownElsewhere";
    bucket.push(...bucket.splice(known, 1));
    return "known";
  }

  /**
   * Records that a peer has proven itself at its address. In a full bucket of as many owners the oldest one stays, if
   * it lives.
   *
   * @param ping checks that a peer answers; must not reject
   * @spec 10 §5
   */
  async enterProven(peer: Peer, ping: (peer: Peer) => Promise<boolean>): Promise<void> {
    const key = fromHex(peer.id);
    const bucket = this.#bucketOf(key);
    if (bucket === undefined) return;
    const enter = (place: number) => void [bucket.splice(place, 1), bucket.push({ peer, key, pinging: false })];
    const known = () => bucket.findIndex((other) => other.peer.id === peer.id);
    const place = known() >= 0 ? known() : placeFor(peer, bucket);
    if (place !== undefined) return enter(place);
    const oldest = bucket.find(({ pinging }) => !pinging);
    if (oldest === undefined) return;
    oldest.pinging = true;
    const isAlive = await ping(oldest.peer);
    oldest.pinging = false;
    const index = bucket.indexOf(oldest);
    if (isAlive && index >= 0) bucket.push(...bucket.splice(index, 1));
    else if (!isAlive && known() < 0 && (index >= 0 || bucket.length < bucketSize))
      enter(index >= 0 ? index : bucket.length);
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

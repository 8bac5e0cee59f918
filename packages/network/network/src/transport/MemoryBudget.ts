/**
 * How many bytes that peers have sent may wait in memory, in all and from one peer.
 *
 * Every queue is short already; but a peer can make itself any number of identities, so their sum needs a bound.
 *
 * @spec 10 §3.4, §3.6
 */
export class MemoryBudget {
  readonly #totalBytes: number;
  readonly #peerBytes: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(totalBytes: number, peerBytes: number) {
    this.#totalBytes = totalBytes;
    this.#peerBytes = peerBytes;
  }

  /** Bytes taken now. */
  get taken(): number {
    return this.#total;
  }

  /** @returns false, and takes nothing, where the bytes would exceed a bound */
  tryTake(peer: string, bytes: number): boolean {
    const ofPeer = (this.#taken.get(peer) ?? 0) + bytes;
    if (ofPeer > this.#peerBytes || this.#total + bytes > this.#totalBytes) return false;
    this.#total += bytes;
    this.#taken.set(peer, ofPeer);
    return true;
  }

  /** Gives back what {@link tryTake} took. */
  giveBack(peer: string, bytes: number): void {
    const left = (this.#taken.get(peer) ?? 0) - bytes;
    this.#total -= bytes;
    if (left > 0) this.#taken.set(peer, left);
    else this.#taken.delete(peer);
  }
}

import { type Block, hashKey } from "@vedette/protocol";
import { dependenciesOf } from "../blocks/dependencies.js";

/** Heights below the approved block that are fetched with it (the lifespan of deploys). @spec 40 §3.8 */
const heightsBelow = 50n;
/** More hashes than any honest approved block leads to; bounds what a hostile bootstrap can make us keep. */
const maxHashes = 100_000;

interface Wanted {
  readonly hash: Uint8Array;
  /** Blocks that came, and name it in a justification, though not as a parent. */
  readonly justifiedBy: Uint8Array[];
  status: "init" | "requested" | "received";
}

/** A block that was taken, with what the DAG must know of its place. */
export interface FetchedBlock {
  readonly hash: Uint8Array;
  readonly number: bigint;
}

/** The effects of a received block. */
export interface Reception {
  /** All latest messages are there now; the height down to which blocks are taken. */
  readonly lowerBound: bigint | undefined;
}

/**
 * Decides which blocks to fetch along with an approved block, and when all are there. Sends no messages.
 *
 * The latest messages of the validators come first, and of each the block before it; then the approved block and what
 * lies up to 50 heights below.
 *
 * @spec 40 §3.8
 */
export class BlockRequester {
  readonly #wanted = new Map<string, Wanted>();
  readonly #latest = new Map<string, Uint8Array>();
  /** The approved block's justifications; constant. */
  readonly #firstLatest: ReadonlySet<string>;
  readonly #finished = new Set<string>();
  readonly #fetched: FetchedBlock[] = [];
  readonly #mostHashes: number;
  #lowerBound: bigint;

  /**
   * @param lowest height down to which blocks are fetched, where no latest message lies further down; 50 below without
   * @param mostHashes that are kept; further ones are not requested
   */
  constructor(approved: Block, lowest?: bigint, mostHashes = maxHashes) {
    this.#mostHashes = mostHashes;
    this.#want(approved.hash);
    for (const { latestBlockHash } of approved.justifications)
      this.#latest.set(hashKey(latestBlockHash), latestBlockHash);
    this.#firstLatest = new Set(this.#latest.keys());
    const usual = approved.number > heightsBelow ? approved.number - heightsBelow : 0n;
    this.#lowerBound = lowest ?? usual;
  }

  /** Whether everything has arrived. */
  get isDone(): boolean {
    return this.#latest.size === 0 && this.#wanted.size === 0;
  }

  /** The blocks for the DAG, the highest first. @spec 40 §3.9 */
  get fetched(): readonly FetchedBlock[] {
    const inRange = this.#fetched.filter(({ number }) => number >= this.#lowerBound);
    return inRange.sort((one, other) => (one.number > other.number ? -1 : one.number < other.number ? 1 : 0));
  }

  /** Whether a block with this hash was requested and has not come. */
  isRequested(hash: Uint8Array): boolean {
    return this.#wanted.get(hashKey(hash))?.status === "requested";
  }

  /** The received blocks that justify a missing one. A peer may have invented it in their copies. */
  justifiedBy(hash: Uint8Array): readonly Uint8Array[] {
    return this.#wanted.get(hashKey(hash))?.justifiedBy ?? [];
  }

  /** Returns the hashes to request now; counts them as requested. */
  next(): Uint8Array[] {
    for (const hash of this.#latest.values()) this.#want(hash);
    const hashes: Uint8Array[] = [];
    for (const [key, wanted] of this.#wanted) {
      // Latest messages first: they decide how far down the rest goes.
      if (this.#latest.size > 0 && !this.#latest.has(key)) continue;
      if (wanted.status !== "init") continue;
      wanted.status = "requested";
      hashes.push(wanted.hash);
    }
    return hashes;
  }

  /**
   * Accepts a block with a verified hash.
   *
   * @returns `undefined` for one that was not requested
   */
  receive(block: Block): Reception | undefined {
    const key = hashKey(block.hash);
    const wanted = this.#wanted.get(key);
    if (wanted?.status !== "requested") return undefined;
    wanted.status = "received";
    const wasLatest = this.#latest.delete(key);
    if (wasLatest && this.#firstLatest.has(key)) this.#replaceLatest(block);
    const isLastLatest = wasLatest && this.#latest.size === 0;
    if (wasLatest && block.number - 1n < this.#lowerBound)
      this.#lowerBound = block.number > 0n ? block.number - 1n : 0n;
    this.#fetched.push({ hash: block.hash, number: block.number });
    if (wasLatest || block.number >= this.#lowerBound) this.#wantDependencies(block);
    this.#wanted.delete(key);
    this.#finished.add(key);
    return { lowerBound: isLastLatest ? this.#lowerBound : undefined };
  }

  #wantDependencies(block: Block): void {
    const parents = new Set(block.parents.map(hashKey));
    for (const hash of dependenciesOf(block) ?? []) {
      if (this.#finished.has(hashKey(hash))) continue;
      const justifiedBy = this.#want(hash)?.justifiedBy;
      if (!parents.has(hashKey(hash))) justifiedBy?.push(block.hash);
    }
  }

  /** For each validator the block before its latest one is fetched too. */
  #replaceLatest(block: Block): void {
    const own = block.justifications.find(({ validator }) => hashKey(validator) === hashKey(block.sender));
    if (own === undefined) return;
    const key = hashKey(own.latestBlockHash);
    if (!this.#finished.has(key)) this.#latest.set(key, own.latestBlockHash);
  }

  /** @returns `undefined` where there are too many */
  #want(hash: Uint8Array): Wanted | undefined {
    const key = hashKey(hash);
    const known = this.#wanted.get(key);
    if (known !== undefined || this.#wanted.size + this.#finished.size >= this.#mostHashes) return known;
    const wanted: Wanted = { hash, justifiedBy: [], status: "init" };
    this.#wanted.set(key, wanted);
    return wanted;
  }
}

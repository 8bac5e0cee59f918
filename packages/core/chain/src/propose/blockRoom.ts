import type { PoolEntry } from "./PoolEntry.js";

/** The limits for user deploys in one block; a block may always have one deploy alone. */
export interface BlockLimits {
  readonly deploys: number;
  /** Encoded bytes of the deploys. */
  readonly bytes: number;
  /** Sum of the phlo limits. */
  readonly phlo: bigint;
}

/** Limits of a block that all validators can validate while the next one is made. */
export const defaultBlockLimits: BlockLimits = { deploys: 128, bytes: 8_000_000, phlo: 2_000_000_000n };

/** A limit is no cost, and may not even be paid for: this many deploys fit into a block at any limits. */
const maxShares = 8n;

/** The part of a block, one of this many, that is kept for deploys with unfamiliar programs, if there are any. */
const partOfOthers = 4;

/** Returns the limits for deploys with familiar programs. @param others number of waiting deploys with others */
export function roomForFamiliar(limits: BlockLimits, others: number): BlockLimits {
  if (others === 0) return limits;
  const { deploys, bytes, phlo } = limits;
  const kept = Math.min(others, Math.floor(deploys / partOfOthers));
  return {
    deploys: deploys - kept,
    bytes: bytes - Math.floor(bytes / partOfOthers),
    phlo: phlo - phlo / BigInt(partOfOthers),
  };
}

/** Takes deploys as long as they fit; the first one that is offered always does. */
export class Packing {
  readonly entries: PoolEntry[] = [];
  readonly #limits: BlockLimits;
  #deploys: number;
  #bytes = 0;
  #phlo = 0n;

  /** @param before the deploys that have their place already */
  constructor(limits: BlockLimits, before: readonly PoolEntry[] = []) {
    this.#limits = limits;
    this.#deploys = before.length;
    for (const entry of before) this.#add(entry);
  }

  get isFull(): boolean {
    return this.#deploys >= this.#limits.deploys;
  }

  /** Skips a deploy that does not fit. Otherwise a few large deploys, even unpaid ones, would keep all others out. */
  offer(entry: PoolEntry): void {
    const { bytes, phlo } = this.#limits;
    const fits = this.#bytes + entry.sizeBytes <= bytes && this.#phlo + this.#share(entry) <= phlo;
    if (this.entries.length > 0 && !fits) return;
    this.entries.push(entry);
    this.#deploys += 1;
    this.#add(entry);
  }

  #add(entry: PoolEntry): void {
    this.#bytes += entry.sizeBytes;
    this.#phlo += this.#share(entry);
  }

  #share({ phloLimit }: PoolEntry): bigint {
    const most = this.#limits.phlo / maxShares;
    if (phloLimit < 0n) return 0n;
    return phloLimit < most ? phloLimit : most;
  }
}

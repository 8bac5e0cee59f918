import { dropOldest } from "@vedette/errors";
import { type Block, hashKey } from "@vedette/protocol";

/** Senders with claims that are kept. */
const capacity = 4096;

/** The stakes with which claims are weighed. */
export interface KnownStakes {
  /** Stake by validator (`hashKey` of the public key), in the last finalized block. */
  readonly stakes: ReadonlyMap<string, bigint>;
  /** Whether a block of this validator is in the DAG. */
  readonly hasSpoken: (validatorKey: string) => boolean;
  /** Greatest height of the DAG. */
  readonly height: bigint;
  /** Blocks that are stored and wait for others. */
  readonly waitingBlocks: number;
}

/**
 * The height of the chain as claimed by blocks that have not been judged yet. Any key can sign any number, so no single
 * claim counts: a height is taken when validators with more than half of the stake, and not one alone, have signed
 * blocks of at least that height. Before that much stake is known, and where one validator has it, the height is
 * bounded by the number of blocks here that fill the gap.
 *
 * @spec 40 §4.8
 */
export class ClaimedHeights {
  readonly #claims = new Map<string, bigint>();

  /** Records the claim of a block; its hash and its signature must have been checked. */
  note({ sender, number }: Pick<Block, "sender" | "number">): void {
    const key = hashKey(sender);
    const before = this.#claims.get(key);
    this.#claims.delete(key);
    this.#claims.set(key, before === undefined || number > before ? number : before);
    dropOldest(this.#claims, capacity);
  }

  /**
   * The greatest height that is believed; never below the own one.
   *
   * @cost the claims and the stakes
   */
  best({ stakes, hasSpoken, height, waitingBlocks }: KnownStakes): bigint {
    const filled = height + BigInt(waitingBlocks);
    const claims: { readonly number: bigint; readonly stake: bigint }[] = [];
    let total = 0n;
    let received = 0n;
    for (const [key, stake] of stakes) {
      const number = this.#claims.get(key);
      total += stake;
      if (number !== undefined || hasSpoken(key)) received += stake;
      if (number !== undefined && stake > 0n) claims.push({ number, stake });
    }
    if (2n * received <= total) return highest(height, lowest(highest(height, ...this.#claims.values()), filled));
    claims.sort((left, right) => (left.number > right.number ? -1 : left.number < right.number ? 1 : 0));
    let agreed = 0n;
    for (const [index, { number, stake }] of claims.entries()) {
      agreed += stake;
      if (2n * agreed > total) return highest(height, index === 0 ? lowest(number, filled) : number);
    }
    return height;
  }
}

function highest(...numbers: readonly bigint[]): bigint {
  return numbers.reduce((left, right) => (left > right ? left : right));
}

function lowest(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

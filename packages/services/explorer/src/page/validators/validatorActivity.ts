import type { BlockSummary } from "../../data/BlockSummary.js";

/** How a validator does, as far as the newest heights show it. */
export interface ValidatorActivity {
  readonly validator: string;
  readonly stake: bigint;
  /** Blocks of it among those that were looked at. */
  readonly proposed: number;
  /** Heights of those that were looked at on which it has no block. */
  readonly withoutBlock: number;
  /** The number of its blocks that lost a race; unknown if only the newest heights were read. */
  readonly orphaned?: number;
  readonly latest: Pick<BlockSummary, "hash" | "number" | "timestamp"> | undefined;
  /** Two different blocks of one number: it signed what it must not. */
  readonly hasEquivocated: boolean;
}

/** The validators, those with the greatest stake first. @param blocks of the heights that count, the newest first */
export function validatorActivity(
  bonds: readonly { readonly validator: string; readonly stake: bigint }[],
  blocks: readonly BlockSummary[],
): ValidatorActivity[] {
  const heights = new Set(blocks.filter(({ number }) => number > 0).map(({ number }) => number)).size;
  const found = bonds.map(({ validator, stake }): ValidatorActivity => {
    const own = blocks.filter(({ sender }) => sender === validator);
    const numbers = new Set(own.map(({ seqNum }) => seqNum));
    const withoutBlock = heights - new Set(own.map(({ number }) => number)).size;
    return {
      validator,
      stake,
      proposed: own.length,
      withoutBlock,
      latest: own[0],
      hasEquivocated: numbers.size < own.length,
    };
  });
  return found.sort((one, other) => (one.stake === other.stake ? 0 : one.stake < other.stake ? 1 : -1));
}

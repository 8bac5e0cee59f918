import { transactionsOf } from "@vedette/execution";
import type { QueryReaders } from "@vedette/executor/threads";
import { type Block, encodeBlock } from "@vedette/protocol";
import { requireReported } from "./requireReported.js";

/** A movement of tokens between two vaults, by a user's deploy. */
export interface BlockTransfer {
  /** Signature of the deploy. */
  readonly deployId: Uint8Array;
  readonly deployer: Uint8Array;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Why nothing was moved; `undefined` when it was. */
  readonly failReason: string | undefined;
}

/** Provides the transfers of blocks. */
export interface TransferPort {
  /** In the order in which they happened, the same at every call. @throws Error when they are not available now */
  transfersOf(block: Block, signal: AbortSignal): Promise<readonly BlockTransfer[]>;
}

/** Longest time that a reader looks for the transfers of a block. */
const timeoutMs = 60_000;

/**
 * Transfers as they were noted when a block was executed here. What users pay for deploys, and what failed deploys
 * moved and lost again, is not among them.
 *
 * @spec 41 §8.3
 */
export function transferPortOf(readers: QueryReaders): TransferPort {
  return {
    async transfersOf(block, signal) {
      const call = { blocks: [{ block: encodeBlock(block), invalidBlocks: [] }], timeoutMs };
      const [result] = await readers.call("transfers", call, timeoutMs, { signal });
      const transactions = transactionsOf(block, requireReported(result)) ?? [];
      return transactions.flatMap(({ transfer: { from, to, amount, failure, isReverted }, type, index }) => {
        const processed = block.body.deploys[index];
        if (type !== "UserDeploy" || isReverted || processed === undefined) return [];
        const { signature: deployId, deployer } = processed.deploy;
        return [{ deployId, deployer, from, to, amount, failReason: failure }];
      });
    },
  };
}

import { ClientError } from "@vedette/client";
import { node } from "../../data/node.js";

/** A transfer of a deploy between two vaults. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Empty where it succeeded. */
  readonly failReason: string;
}

/** The transfers of a deploy, on nodes of either dialect. @spec 50 §1.9, §10.3 */
export async function readTransfers(deployId: string, blockHash: string, signal: AbortSignal): Promise<Transfer[]> {
  try {
    const { data } = await node.transactions(blockHash, { signal });
    const own = data.filter((entry) => JSON.stringify(entry.transactionType).includes(deployId));
    return own
      .filter(({ transactionType }) => !/precharge|refund/i.test(JSON.stringify(transactionType)))
      .map(({ transaction: { fromAddr, toAddr, amount, failReason } }) => ({
        ...{ from: fromAddr, to: toAddr, amount, failReason: failReason ?? "" },
      }));
  } catch (error) {
    if (!(error instanceof ClientError) || error.failure.code !== "notOffered") throw error;
  }
  const { deploys } = await node.block(blockHash, { signal });
  const transfers = deploys.find(({ sig }) => sig === deployId)?.transfers ?? [];
  return transfers.map(({ fromAddr, toAddr, amount, failReason }) => {
    return { from: fromAddr, to: toAddr, amount, failReason };
  });
}

import { fromHex } from "@vedette/crypto";

/** The channel on which vaults report transfers: the 11th name that the ASIVault deploy draws. @spec 41 §5.3, §8.3 */
export const transferChannelId = fromHex("72d0f333c719323406901bca34c2935e4d92c31402fa80a2c273422e923af550");

/** A movement between two vaults, as the vaults' contract reported it. @spec 41 §8.3 */
export interface ReportedTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Canonical bytes of the name on which the contract answered. */
  readonly answerName: Uint8Array;
  /** Why the contract refused; `undefined` when it did not. */
  readonly failure: string | undefined;
  /** The transfer was undone, since the deploy failed afterwards. */
  readonly isReverted: boolean;
}

/** The transfers between two moments that a report separates. @spec 41 §8.2 */
export type TransferGroup = readonly ReportedTransfer[];

/**
 * The transfers of a deploy or system deploy: a list for each part of its report that has any event.
 * @spec 41 §8.2, §8.3
 */
export type DeployTransferGroups = readonly TransferGroup[];

/** The transfers of a block. @spec 41 §8.3 */
export interface BlockTransfers {
  /** In the block's order. */
  readonly deploys: readonly DeployTransferGroups[];
  readonly systemDeploys: readonly DeployTransferGroups[];
}

import type { Block } from "@vedette/protocol";
import type { BlockTransfers, ReportedTransfer } from "./Transfer.js";

/** In which part of a block something was moved; rnode's names. @spec 41 §8.3 */
export type TransactionType = "PreCharge" | "UserDeploy" | "Refund" | "CloseBlock" | "SlashingDeploy";

/** A transfer and its place in its block. @spec 41 §8.3 */
export interface Transaction {
  readonly transfer: ReportedTransfer;
  readonly type: TransactionType;
  /** In the block's list of user deploys, or of system deploys. */
  readonly index: number;
}

/** Names of the parts of a user deploy's report, by their number. @spec 41 §8.3 */
const partNames: readonly (readonly TransactionType[] | undefined)[] = [
  undefined,
  ["PreCharge"],
  ["PreCharge", "Refund"],
  ["PreCharge", "UserDeploy", "Refund"],
];

/**
 * Returns the transfers of a block, in its order, under rnode's names.
 *
 * Quirk 41 §8.3: an undone transfer of a failed deploy is called a refund, and all of genesis pre-charges.
 *
 * @returns `undefined` if a deploy's report has a number of parts without names
 * @spec 41 §8.3
 */
export function transactionsOf(block: Block, { deploys, systemDeploys }: BlockTransfers): Transaction[] | undefined {
  const found: Transaction[] = [];
  for (const [index, groups] of deploys.entries()) {
    const names = partNames[groups.length];
    if (names === undefined) return undefined;
    for (const [part, group] of groups.entries())
      for (const transfer of group) found.push({ transfer, type: names[part]!, index });
  }
  for (const [index, groups] of systemDeploys.entries()) {
    const isSlash = block.body.systemDeploys[index]?.systemDeploy.kind === "slash";
    for (const transfer of groups[0] ?? [])
      found.push({ transfer, type: isSlash ? "SlashingDeploy" : "CloseBlock", index });
  }
  return found;
}

import { checkVaultAddress, vaultAddressOfPublicKey } from "@vedette/crypto";
import { type BlockTransfers, type Transaction, transactionsOf } from "@vedette/execution";
import type { LookupResult } from "@vedette/executor";
import type { Block, ProcessedDeploy } from "@vedette/protocol";
import {
  type DeployEntry,
  encodeDeployEntry,
  encodeTransferEntry,
  type TransferEntry,
  type TransferKind,
} from "./accountEntries.js";
import { type AccountPlace, accountPrefix, encodePlace, historyKey } from "./accountKeys.js";

/** A line of the history's table. */
export interface AccountRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A block as it goes into the index. */
export interface IndexedBlock {
  readonly hash: Uint8Array;
  readonly height: bigint;
  readonly rows: readonly AccountRow[];
  /** Whether the transfers are among the rows: only where they were `found`; otherwise the deploys alone are. */
  readonly transfers: LookupResult<BlockTransfers>["kind"];
}

/** Longest texts that are kept: the makers of deploys choose some of them. */
const longestReason = 500;
const longestAddress = 100;

/** Returns the entries of a block for the index. */
export function indexedBlock(block: Block, transfers: LookupResult<BlockTransfers>): IndexedBlock {
  const rows = deployRows(block);
  if (transfers.kind === "found") rows.push(...transferRows(block, transfers.value));
  return { hash: block.hash, height: block.number, rows, transfers: transfers.kind };
}

/** The deploys of a block, each under the address of its deployer. */
function deployRows(block: Block): AccountRow[] {
  return block.body.deploys.flatMap((processed, index) => {
    const address = vaultAddressOfPublicKey(processed.deploy.deployer);
    return address === undefined
      ? []
      : [rowOf("deploys", address, placeOf(block, index), encodeDeployEntry(entryOf(processed)))];
  });
}

/** The index entry of a deploy. */
export function entryOf({ deploy, cost, failed, systemDeployError }: ProcessedDeploy): DeployEntry {
  return {
    deployId: deploy.signature,
    deployer: deploy.deployer,
    sigAlgorithm: deploy.algorithm,
    timestamp: deploy.timestamp,
    phloPrice: deploy.phloPrice,
    phloLimit: deploy.phloLimit,
    validAfterBlockNumber: deploy.validAfterBlockNumber,
    cost,
    errored: failed,
    systemDeployError: systemDeployError.slice(0, longestReason),
  };
}

/** The transfers of a block, each under both of its addresses. */
function transferRows(block: Block, transfers: BlockTransfers): AccountRow[] {
  return transferEntries(block, transfers).flatMap((entry, index) => {
    const value = encodeTransferEntry(entry);
    return [...new Set([entry.from, entry.to])]
      .filter((address) => checkVaultAddress(address) === undefined)
      .map((address) => rowOf("transfers", address, placeOf(block, index), value));
  });
}

/**
 * Returns the transfers of a block, in its order: by users' deploys, by genesis, by the end of the block.
 *
 * The costs of deploys are not among them; they are with the deploys.
 *
 * @spec 41 §8.3
 */
export function transferEntries(block: Block, transfers: BlockTransfers): TransferEntry[] {
  const transactions = transactionsOf(block, transfers) ?? [];
  const isGenesis = block.parents.length === 0;
  return transactions.flatMap((transaction): TransferEntry[] => {
    const { transfer, index } = transaction;
    const kind = kindOf(transaction, isGenesis);
    if (kind === undefined) return [];
    const isOfDeploy = kind === "deploy" || kind === "genesis";
    const deploy = isOfDeploy ? block.body.deploys[index]?.deploy : undefined;
    return [
      {
        kind,
        from: transfer.from.slice(0, longestAddress),
        to: transfer.to.slice(0, longestAddress),
        amount: transfer.amount,
        failReason: reasonOf(transaction),
        deploy: deploy && { deployId: deploy.signature, deployer: deploy.deployer },
      },
    ];
  });
}

/** `undefined` for what a deploy costs. */
function kindOf({ type, transfer }: Transaction, isGenesis: boolean): TransferKind | undefined {
  switch (type) {
    case "CloseBlock":
      return "closeBlock";
    case "SlashingDeploy":
      return "slash";
    case "UserDeploy":
      return "deploy";
    case "PreCharge":
      return isGenesis ? "genesis" : undefined;
    case "Refund":
      // Quirk 41 §8.3: what a failed deploy moved is called a refund.
      return transfer.isReverted ? "deploy" : undefined;
  }
}

function reasonOf({ transfer }: Transaction): string | undefined {
  if (transfer.failure !== undefined) return transfer.failure.slice(0, longestReason);
  return transfer.isReverted ? "The deploy failed afterwards." : undefined;
}

function placeOf({ number, hash }: Block, index: number): AccountPlace {
  return { height: number, blockHash: hash, index };
}

function rowOf(kind: "deploys" | "transfers", address: string, place: AccountPlace, value: Uint8Array): AccountRow {
  return { key: historyKey(accountPrefix(kind, address), encodePlace(place)), value };
}

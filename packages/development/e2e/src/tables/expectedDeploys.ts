import { takesEffect } from "@vedette/chain";
import { type DeployStatus, vaultAddressOfPublicKey } from "@vedette/client";
import { blake2b256 } from "@vedette/crypto";
import { type ApiBlockRow, type ApiChain, type ApiTransfer, bytesOf, digitsOf } from "./ApiChain.js";
import { type ExpectedRow, type ExpectedTables, placeOf, timeOf } from "./expectedBlocks.js";

type ApiDeployRow = ApiBlockRow["deploys"][number];
type Inclusion = DeployStatus["blocks"][number];

/** A deploy in a block, with the node's facts about both together. */
interface Placed {
  readonly row: ApiBlockRow;
  readonly deploy: ApiDeployRow;
  readonly index: number;
  readonly inclusion: Inclusion;
  readonly others: readonly Inclusion[];
  readonly status: DeployStatus["status"];
}

/** The tables that have rows for deploys and what they moved. */
export function expectedDeploys(chain: ApiChain): ExpectedTables {
  const placed = chain.blocks.flatMap((row) =>
    row.deploys.map((deploy, index): Placed => {
      const { blocks: inclusions = [], status = "included" } = chain.deploys.get(deploy.sig) ?? {};
      const inclusion = inclusions.find(({ block }) => block.blockHash === row.info.blockHash);
      if (inclusion === undefined) throw new TypeError(`${deploy.sig} has no inclusion in ${row.info.blockHash}`);
      return { row, deploy, index, inclusion, others: inclusions, status };
    }),
  );
  const counting = new Map<string, Placed>();
  for (const one of placed) {
    const known = counting.get(one.deploy.sig);
    if (known === undefined || weightOf(one) < weightOf(known)) counting.set(one.deploy.sig, one);
  }
  const transfers = chain.blocks.flatMap((row) => row.transfers.map((transfer) => ({ row, transfer })));
  const ofDeploys = transfers.filter(({ transfer }) => transfer.deployId !== null);
  // The transfers of genesis and other blocks beside it belong to the block of the deploy that counts.
  const shown = ofDeploys.filter(({ row, transfer }) => counting.get(transfer.deployId!)?.row === row);
  const rows = shown.map(({ row, transfer }) => transferRow(row, transfer, counting.get(transfer.deployId!)!));
  return {
    block_deploys: placed.map(inclusionRow),
    deployments: [...counting.values()].map(deploymentRow),
    transfers: rows,
    system_transfers: transfers.filter(({ transfer }) => transfer.deployId === null).map(systemRow),
    transaction_history_view: historyRows([...counting.values()], rows),
  };
}

const weights = ["finalized", "failed", "expired", "failedSoFar", "included", "rejected", "forkedAway"];

/** Texts in the order in which inclusions count. */
function weightOf(placed: Placed): string {
  const { blockNumber, blockHash } = placed.row.info;
  return `${weights.indexOf(fateOf(placed))} ${String(blockNumber).padStart(20, "0")} ${blockHash}`;
}

function fateOf({ row, deploy, inclusion, status }: Placed): string {
  if (status === "expired") return status;
  if (inclusion.rejectedBy !== null) return "rejected";
  if (row.fate !== "finalized") return row.fate === "pending" ? "included" : row.fate;
  if (hasEffect(row, deploy)) return "finalized";
  return status === "failed" ? status : "failedSoFar";
}

function hasEffect({ block }: ApiBlockRow, deploy: ApiDeployRow): boolean {
  return takesEffect({ failed: deploy.errored, systemDeployError: deploy.systemDeployError }, block.form);
}

function errorOf({ deploy, inclusion, others }: Placed): string | null {
  if (deploy.systemDeployError !== "") return shownText(deploy.systemDeployError);
  if (!deploy.errored) return null;
  // For a deploy in many blocks the node returns the errors of the first ones; side by side they are all alike.
  const errors = inclusion.errors ?? others.find((one) => one.errored && one.errors !== null)?.errors;
  // A block that cannot be executed has no errors of deploys, neither at the node nor in the index.
  if (errors === undefined || errors === null) return null;
  const text = errors.map((error) => error.text).join("\n");
  return text === "" ? null : shownText(text);
}

const shownText = (text: string) => text.replaceAll("\0", "\uFFFD");

function inclusionRow(placed: Placed): ExpectedRow {
  const { row, deploy, index, inclusion } = placed;
  return {
    ...placeOf(row.info),
    deploy_index: index,
    deploy_id: deploy.sig,
    phlo_cost: deploy.cost,
    errored: deploy.errored,
    has_effect: hasEffect(row, deploy),
    error_message: errorOf(placed),
    fate: fateOf(placed),
    rejected_by: inclusion.rejectedBy,
  };
}

function deploymentRow(placed: Placed): ExpectedRow {
  const { row, deploy, inclusion } = placed;
  const term = shownText(deploy.term);
  const bytes = new TextEncoder().encode(term);
  return {
    ...placeOf(row.info),
    deploy_id: deploy.sig,
    deployer: deploy.deployer,
    deployer_address: vaultAddressOfPublicKey(bytesOf(deploy.deployer)) ?? "",
    term,
    timestamp: deploy.timestamp,
    sig: deploy.sig,
    sig_algorithm: deploy.sigAlgorithm,
    phlo_price: deploy.phloPrice,
    phlo_limit: deploy.phloLimit,
    phlo_cost: deploy.cost,
    valid_after_block_number: deploy.validAfterBlockNumber,
    errored: deploy.errored,
    error_message: errorOf(placed),
    deployment_type: typeOf(term),
    seq_num: null,
    shard_id: row.block.body.deploys[placed.index]!.deploy.shardId,
    status: "included",
    created_at: timeOf(row.info.timestamp),
    fate: fateOf(placed),
    rejected_by: inclusion.rejectedBy,
    source_length: bytes.length,
    source_hash: digitsOf(blake2b256(bytes)),
  };
}

/** As chapter 60 §3 and 50 §8.3 have it. */
function typeOf(term: string): string {
  if (/ASIVault/.test(term) && /transfer/.test(term)) return "asi_transfer";
  if (/validator|bond/.test(term)) return "validator_operation";
  if (/finalizer/.test(term)) return "finalizer_contract";
  if (/registry/.test(term) && /lookup/.test(term)) return "registry_lookup";
  return /auction/.test(term) ? "auction_contract" : "smart_contract";
}

function transferRow(row: ApiBlockRow, transfer: ApiTransfer, placed: Placed): ExpectedRow {
  const { deploy } = placed;
  const isOwn = vaultAddressOfPublicKey(bytesOf(deploy.deployer)) === transfer.from;
  const { failReason, kind, amount } = transfer;
  return {
    ...placeOf(row.info),
    deploy_id: transfer.deployId,
    from_address: transfer.from,
    from_public_key: isOwn ? deploy.deployer : "",
    to_address: transfer.to,
    amount_dust: amount,
    amount_asi: tokensOf(amount),
    status: failReason !== null ? "failed" : kind === "genesis" ? "genesis_mint" : "success",
    timestamp: deploy.timestamp,
    created_at: timeOf(row.info.timestamp),
    fail_reason: failReason,
    fate: fateOf(placed),
  };
}

/** An amount in dust, in tokens. */
export const tokensOf = (dust: unknown): number => Number(dust) / 1e8;

function systemRow({ row, transfer }: { readonly row: ApiBlockRow; readonly transfer: ApiTransfer }): ExpectedRow {
  return {
    ...placeOf(row.info),
    kind: transfer.kind,
    from_address: transfer.from,
    to_address: transfer.to,
    amount_dust: transfer.amount,
    amount_asi: tokensOf(transfer.amount),
    status: transfer.failReason === null ? "success" : "failed",
    fail_reason: transfer.failReason,
    created_at: timeOf(row.info.timestamp),
  };
}

function historyRows(deploys: readonly Placed[], transfers: readonly ExpectedRow[]): ExpectedRow[] {
  return deploys.flatMap(({ row, deploy }) => {
    const common = {
      ...placeOf(row.info),
      deploy_id: deploy.sig,
      timestamp: deploy.timestamp,
      deployer_address: vaultAddressOfPublicKey(bytesOf(deploy.deployer)) ?? "",
    };
    const columns = ["from_address", "to_address", "from_public_key", "amount_asi", "status", "amount_dust"];
    const own = transfers.filter((row) => row["deploy_id"] === deploy.sig);
    if (own.length === 0)
      return [{ ...common, type: "not_transfer", ...Object.fromEntries(columns.map((column) => [column, null])) }];
    return own.map((row) => ({
      ...common,
      type: "transfer",
      ...Object.fromEntries(columns.map((column) => [column, row[column]])),
    }));
  });
}

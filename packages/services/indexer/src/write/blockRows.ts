import { blake2b256, fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { DeployFacts, IndexBlockFacts, TransferFacts } from "../facts/IndexBlockFacts.js";
import { deploymentType } from "../facts/programText.js";
import type { Row } from "./Rows.js";
import { storedInteger, storedText, timestampText } from "./Rows.js";

/** Longest texts of errors that are kept. */
const longestError = 2_000;

/** The row of a block. */
export function blockRow(block: IndexBlockFacts, bondSetId: unknown): Row {
  return {
    block_hash: block.hash,
    block_number: block.number,
    parent_hash: block.parents[0] ?? "",
    timestamp: storedInteger(block.timestamp),
    proposer: block.sender,
    state_hash: block.postStateHash,
    pre_state_hash: block.preStateHash,
    seq_num: block.seqNum,
    sig: block.sig,
    sig_algorithm: storedText(block.sigAlgorithm),
    shard_id: storedText(block.shardId),
    extra_bytes: block.extraBytes,
    version: storedInteger(block.version),
    deployment_count: block.deploys.length,
    errored_count: block.deploys.filter(({ errored }) => errored).length,
    phlo_cost: costOf(block),
    fees_dust: feesOf(block),
    fate: block.fate,
    finalization_status: block.fate === "finalized" ? "finalized" : "unfinalized",
    fault_tolerance: block.faultTolerance ?? null,
    finalized_at_block_number: block.finalizedAt?.height ?? null,
    finalized_at_timestamp: block.finalizedAt === undefined ? null : storedInteger(block.finalizedAt.timestamp),
    bond_set_id: bondSetId,
    rejected_deploys: JSON.stringify(block.rejectedDeploys.map(({ id }) => id)),
    created_at: timestampText(block.timestamp),
    justifications: JSON.stringify(block.justifications),
  };
}

/** Returns the cost of all deploys of a block, in phlo. */
export function costOf(block: IndexBlockFacts): bigint {
  return storedInteger(block.deploys.reduce((sum, { cost }) => sum + cost, 0n));
}

/** Returns the cost of all deploys of a block at their prices, in dust. */
export function feesOf(block: IndexBlockFacts): bigint {
  return storedInteger(block.deploys.reduce((sum, { cost, phloPrice }) => sum + cost * phloPrice, 0n));
}

/** Stakes as `bonds_map` has them: integers are JSON numbers of any length. */
export function bondsText(block: IndexBlockFacts): string {
  return `[${block.bonds.map(({ validator, stake }) => `{"validator":"${validator}","stake":${stake}}`).join(",")}]`;
}

/** Rows of a block's parents. A parent that is named twice is entered once. */
export function parentRows(block: IndexBlockFacts): Row[] {
  const createdAt = timestampText(block.timestamp);
  return [...new Set(block.parents)].map((parent, index) => ({
    block_hash: block.hash,
    parent_hash: parent,
    parent_index: index,
    created_at: createdAt,
  }));
}

/** Returns the fate of a deploy in its block so far; its final status comes later. */
function fateIn(block: IndexBlockFacts, deploy: DeployFacts, rejectedBy: string | undefined): string {
  if (rejectedBy !== undefined) return "rejected";
  if (block.fate === "finalized") return deploy.hasEffect ? "finalized" : "failedSoFar";
  return block.fate === "pending" ? "included" : block.fate;
}

/** By which block's merge each deploy of a block was given up. */
function rejectersOf(block: IndexBlockFacts): (deploy: DeployFacts) => string | undefined {
  if (block.rejections.length === 0) return () => undefined;
  const byId = new Map(block.rejections.map(({ idHash, rejectedBy }) => [idHash, rejectedBy]));
  return ({ id }) => byId.get(idHashOf(id));
}

/** The hash by which logs name a deploy. */
export function idHashOf(deployId: string): string {
  return toHex(blake2b256(fromHex(deployId)));
}

/** The deploys of a block, as it has them. */
export function blockDeployRows(block: IndexBlockFacts): Row[] {
  const rejecterOf = rejectersOf(block);
  return block.deploys.map((deploy, index) => {
    const rejectedBy = rejecterOf(deploy);
    return {
      block_hash: block.hash,
      deploy_index: index,
      deploy_id: deploy.id,
      block_number: block.number,
      phlo_cost: storedInteger(deploy.cost),
      errored: deploy.errored,
      has_effect: deploy.hasEffect,
      error_message: errorOf(deploy),
      fate: fateIn(block, deploy, rejectedBy),
      rejected_by: rejectedBy ?? null,
    };
  });
}

function errorOf({ error }: DeployFacts): string | null {
  return error === undefined || error === "" ? null : storedText(error.slice(0, longestError));
}

/** A deploy that no other block has. */
export function deployRow(block: IndexBlockFacts, deploy: DeployFacts, source: { id: unknown; length: number }): Row {
  const rejectedBy = rejectersOf(block)(deploy);
  return {
    deploy_id: deploy.id,
    block_hash: block.hash,
    block_number: block.number,
    deployer: deploy.deployer,
    deployer_address: addressOf(deploy.deployer),
    timestamp: storedInteger(deploy.timestamp),
    sig_algorithm: deploy.algorithm,
    phlo_price: storedInteger(deploy.phloPrice),
    phlo_limit: storedInteger(deploy.phloLimit),
    phlo_cost: storedInteger(deploy.cost),
    valid_after_block_number: storedInteger(deploy.validAfterBlockNumber),
    errored: deploy.errored,
    has_effect: deploy.hasEffect,
    error_message: errorOf(deploy),
    deployment_type: deploymentType(deploy.term),
    shard_id: storedText(deploy.shardId),
    status: "included",
    fate: fateIn(block, deploy, rejectedBy),
    rejected_by: rejectedBy ?? null,
    source_id: source.id,
    source_length: source.length,
    created_at: timestampText(block.timestamp),
  };
}

const knownAddresses = new Map<string, string>();
const maxKnownAddresses = 10_000;

/** The vault of a public key; empty where it has none. */
export function addressOf(publicKey: string): string {
  let address = knownAddresses.get(publicKey);
  if (address === undefined) {
    address = vaultAddressOfPublicKey(fromHex(publicKey)) ?? "";
    if (knownAddresses.size >= maxKnownAddresses) knownAddresses.clear();
    knownAddresses.set(publicKey, address);
  }
  return address;
}

/** Returns the movements of a block. @param counts whether it is the block of a deploy that counts */
export function movementRows(block: IndexBlockFacts, counts: (deployId: string) => boolean): Row[] {
  const rejecterOf = rejectersOf(block);
  const deploys = new Map(block.deploys.map((deploy) => [deploy.id, deploy]));
  const createdAt = timestampText(block.timestamp);
  return (block.transfers ?? []).map((transfer, position) => {
    const deploy = transfer.deployId === undefined ? undefined : deploys.get(transfer.deployId);
    const isOwn = deploy !== undefined && addressOf(deploy.deployer) === transfer.from;
    return {
      block_hash: block.hash,
      position,
      block_number: block.number,
      kind: transfer.kind,
      deploy_id: transfer.deployId ?? null,
      from_address: storedText(transfer.from),
      from_public_key: isOwn ? deploy.deployer : "",
      to_address: storedText(transfer.to),
      amount_dust: storedInteger(transfer.amount),
      status: statusOf(transfer),
      fail_reason: transfer.failReason === undefined ? null : storedText(transfer.failReason.slice(0, longestError)),
      timestamp: storedInteger(deploy?.timestamp ?? block.timestamp),
      created_at: createdAt,
      fate: deploy === undefined || !counts(deploy.id) ? null : fateIn(block, deploy, rejecterOf(deploy)),
    };
  });
}

function statusOf({ kind, failReason }: TransferFacts): string {
  return failReason !== undefined ? "failed" : kind === "genesis" ? "genesis_mint" : "success";
}

/** Balances after a block, with what the keys of the vaults have at stake. */
export function balanceStateRows(block: IndexBlockFacts): Row[] {
  const stakes = new Map(block.bonds.map(({ validator, stake }) => [addressOf(validator), stake]));
  const updatedAt = timestampText(block.timestamp);
  return (block.balances ?? []).map(({ address, dust }) => {
    const bonded = stakes.get(address) ?? 0n;
    return {
      address: storedText(address),
      block_hash: block.hash,
      block_number: block.number,
      unbonded_balance_dust: storedInteger(dust),
      bonded_balance_dust: storedInteger(bonded),
      total_balance_dust: storedInteger(dust + bonded),
      updated_at: updatedAt,
    };
  });
}

/** Returns the deploys that a block lists as given up by its merge. */
export function rejectionRows(block: IndexBlockFacts): Row[] {
  return block.rejectedDeploys.map(({ id, duplicate, carrier }, position) => ({
    block_hash: block.hash,
    position,
    block_number: block.number,
    deploy_id: id,
    is_duplicate: duplicate ?? null,
    carrier_hash: carrier ?? null,
    created_at: timestampText(block.timestamp),
  }));
}

/** Stakes that a block takes. */
export function slashingRows(block: IndexBlockFacts): Row[] {
  return block.slashings.map(({ position, issuer, invalidBlockHash, error }) => ({
    block_hash: block.hash,
    position,
    block_number: block.number,
    issuer_public_key: issuer,
    invalid_block_hash: invalidBlockHash,
    error_message: error === undefined ? null : storedText(error.slice(0, longestError)),
    created_at: timestampText(block.timestamp),
  }));
}

/** Public names that a block's deploys wrote to, and those that they read. */
export function nameRows(block: IndexBlockFacts): { readonly writes: Row[]; readonly reads: Row[] } {
  const writes: Row[] = [];
  const reads: Row[] = [];
  for (const deploy of block.deploys) {
    if (deploy.errored) continue;
    for (const used of deploy.names ?? []) {
      const row = {
        block_hash: block.hash,
        deploy_id: deploy.id,
        name: storedText(used.name),
        channel_hash: used.channelHash,
        block_number: block.number,
      };
      if (used.writes > 0) writes.push({ ...row, writes: used.writes });
      if (used.reads > 0) reads.push({ ...row, reads: used.reads });
    }
  }
  return { writes, reads };
}

/** Returns the entries that a block's deploys made in the registry. */
export function contractRows(block: IndexBlockFacts): Row[] {
  return block.deploys.flatMap(({ id, deployer, registered }) =>
    registered.map(({ uri, kind }) => ({
      uri: storedText(uri),
      kind,
      deploy_id: id,
      deployer,
      block_hash: block.hash,
      block_number: block.number,
      created_at: timestampText(block.timestamp),
    })),
  );
}

import { vaultAddressOfPublicKey } from "@vedette/client";
import { type ApiBlockRow, type ApiChain, bytesOf, digitsOf } from "./ApiChain.js";

/** A row by column. */
export type ExpectedRow = Readonly<Record<string, unknown>>;
/** Rows by the name of their table. */
export type ExpectedTables = Readonly<Record<string, readonly ExpectedRow[]>>;

/** Milliseconds since 1970 as columns have them. */
export const timeOf = (milliseconds: unknown): string => new Date(Number(milliseconds)).toISOString();

/** Makes the tables with a row, or rows, for each block, from the blocks' content. */
export function expectedBlocks({ blocks }: ApiChain): ExpectedTables {
  const rowsOf = (rows: (block: ApiBlockRow) => readonly ExpectedRow[]) => blocks.flatMap(rows);
  return {
    blocks: blocks.map(blockRow),
    block_parents: rowsOf(({ info }) =>
      info.parentsHashList.map((parent, index) => ({
        ...placeOf(info),
        ...{ parent_hash: parent, parent_index: index, block_number: undefined, created_at: timeOf(info.timestamp) },
      })),
    ),
    block_justifications: rowsOf(({ info }) =>
      info.justifications.map(({ validator, latestBlockHash }) => ({
        ...{ block_hash: info.blockHash, validator_public_key: validator, latest_block_hash: latestBlockHash },
      })),
    ),
    block_validators: rowsOf(({ info }) =>
      info.justifications.map(({ validator }) => ({ block_hash: info.blockHash, validator_public_key: validator })),
    ),
    validator_bonds: rowsOf(({ info }) =>
      info.bonds.map(({ validator, stake }) => ({ ...placeOf(info), validator_public_key: validator, stake })),
    ),
    block_rejections: rowsOf(({ info, block }) =>
      block.body.rejectedDeploys.map(({ signature, duplicate, carrier }, position) => ({
        ...{ ...placeOf(info), position, deploy_id: digitsOf(signature), is_duplicate: duplicate ?? null },
        ...{ carrier_hash: carrier === undefined ? null : digitsOf(carrier), created_at: timeOf(info.timestamp) },
      })),
    ),
    slashings: rowsOf(slashingRows),
    validators: validatorRows(blocks),
  };
}

/** Columns that identify the block. */
export function placeOf({ blockHash, blockNumber }: ApiBlockRow["info"]): ExpectedRow {
  return { block_hash: blockHash, block_number: blockNumber };
}

function blockRow({ info, deploys, fate }: ApiBlockRow): ExpectedRow {
  return {
    ...placeOf(info),
    parent_hash: info.parentsHashList[0] ?? "",
    timestamp: info.timestamp,
    proposer: info.sender,
    state_hash: info.postStateHash,
    state_root_hash: info.postStateHash,
    pre_state_hash: info.preStateHash,
    seq_num: info.seqNum,
    sig: info.sig,
    sig_algorithm: info.sigAlgorithm,
    shard_id: info.shardId,
    extra_bytes: info.extraBytes,
    version: info.version,
    deployment_count: info.deployCount,
    finalization_status: fate === "finalized" ? "finalized" : "unfinalized",
    bonds_map: info.bonds,
    justifications: info.justifications,
    fault_tolerance: fate === "finalized" ? info.faultTolerance : null,
    // The HTTP API does not report it (`finality.network.test.ts`).
    ...{ finalized_at_block_number: undefined, finalized_at_timestamp: undefined },
    created_at: timeOf(info.timestamp),
    fate,
    errored_count: deploys.filter(({ errored }) => errored).length,
    phlo_cost: deploys.reduce((sum, { cost }) => sum + BigInt(cost), 0n),
    fees_dust: deploys.reduce((sum, { cost, phloPrice }) => sum + BigInt(cost) * BigInt(phloPrice), 0n),
    rejected_deploys: info.rejectedDeploys.map(({ sig }) => sig),
  };
}

function slashingRows({ info, block }: ApiBlockRow): ExpectedRow[] {
  return block.body.systemDeploys.flatMap(({ systemDeploy, error }, position) =>
    systemDeploy.kind !== "slash"
      ? []
      : [
          {
            ...placeOf(info),
            position,
            issuer_public_key: digitsOf(systemDeploy.issuerPublicKey),
            invalid_block_hash: digitsOf(systemDeploy.invalidBlockHash),
            error_message: error === "" ? null : error,
            created_at: timeOf(info.timestamp),
          },
        ],
  );
}

/** Blocks come from the lowest to the highest. */
function validatorRows(blocks: readonly ApiBlockRow[]): ExpectedRow[] {
  const living = blocks.filter(({ fate }) => fate !== "forkedAway");
  const stakes = new Map(living.at(-1)?.info.bonds.map(({ validator, stake }) => [validator, BigInt(stake)]));
  const keys = new Set(living.flatMap(({ info }) => info.bonds.map(({ validator }) => validator)));
  return [...keys].map((key) => {
    const having = living.filter(({ info }) => info.bonds.some(({ validator }) => validator === key));
    const [first, last] = [having[0]!.info, having.at(-1)!.info];
    const stake = stakes.get(key) ?? 0n;
    return {
      public_key: key,
      name: `${key.slice(0, 20)}...`,
      total_stake: stake,
      first_seen_block: first.blockNumber,
      last_seen_block: last.blockNumber,
      status: stake > 0n ? "active" : "inactive",
      // With several blocks of one height it may be the time of any of them.
      ...{ created_at: undefined, updated_at: undefined },
      address: vaultAddressOfPublicKey(bytesOf(key)) ?? "",
    };
  });
}

import type { Column, IndexTable } from "./IndexTable.js";

const text = (doc: string): Column => ({ type: "String", doc });
const nullableText = (doc: string): Column => ({ type: "String", doc, isNullable: true });
const big = (doc: string): Column => ({ type: "bigint", doc });
const int = (doc: string): Column => ({ type: "Int", doc });
const createdAt: Column = { type: "timestamp", doc: "The time of the block, in UTC." };
const ofBlock = { kind: "object", table: "blocks", column: "block_hash", otherColumn: "block_hash" } as const;
const ofDeploy = { kind: "object", table: "deployments", column: "deploy_id", otherColumn: "deploy_id" } as const;

/** The tables that the ecosystem's indexer does not have. */
export const ownTables: readonly IndexTable[] = [
  {
    name: "block_deploys",
    doc: "Every deploy of every block, also of those that lost a finality race.",
    origin: "vedette",
    columns: {
      block_hash: text("Block."),
      deploy_index: int("Place in the block."),
      deploy_id: text("Deploy."),
      block_number: big("Height of the block."),
      phlo_cost: big("Phlo that was used in this block."),
      errored: { type: "Boolean", doc: "Whether it failed in this block." },
      has_effect: { type: "Boolean", doc: "Whether its effect is in the state of this block." },
      error_message: nullableText("Why."),
      fate: text(
        "In this block: `included`, `failedSoFar`, `rejected` or `forkedAway`; for good `finalized`, `failed` or `expired` (40 §12.5, 61 §13.8).",
      ),
      rejected_by: nullableText("The block with the merge that gave it up."),
    },
    primaryKey: ["block_hash", "deploy_index"],
    indexes: [["deploy_id"]],
    relations: { block: ofBlock, deployment: ofDeploy },
  },
  {
    name: "block_justifications",
    doc: "The latest block that the creator of a block knew of each validator.",
    origin: "vedette",
    columns: {
      block_hash: text("Block."),
      validator_public_key: text("Validator."),
      latest_block_hash: text("Its latest block."),
    },
    primaryKey: ["block_hash", "validator_public_key"],
    relations: { block: ofBlock },
    view: {
      sqlite: `select b.block_hash, json_extract(j.value, '$.validator') as validator_public_key,
        json_extract(j.value, '$.latestBlockHash') as latest_block_hash
        from chain_blocks b, json_each(b.justifications) j`,
      postgres: `select b.block_hash, j.value ->> 'validator' as validator_public_key,
        j.value ->> 'latestBlockHash' as latest_block_hash
        from chain_blocks b, jsonb_array_elements(b.justifications) as j(value)`,
    },
  },
  {
    name: "block_rejections",
    doc: "Deploys that blocks list as given up by their merges.",
    origin: "vedette",
    columns: {
      block_hash: text("Block that made the merge."),
      position: int("Place among those that the block names."),
      block_number: big("Height of the block."),
      deploy_id: text("Deploy."),
      is_duplicate: {
        type: "Boolean",
        doc: "Whether another copy of it was applied; empty if blocks do not state it, as on rnode networks.",
        isNullable: true,
      },
      carrier_hash: nullableText("The block that has this copy; empty if blocks do not state it."),
      created_at: createdAt,
    },
    primaryKey: ["block_hash", "position"],
    indexes: [["deploy_id"], ["block_number"]],
    relations: { block: ofBlock, deployment: ofDeploy },
  },
  {
    name: "balances",
    doc: "What each vault holds after the highest block that named it and was not forked away; of several the one with the greatest hash.",
    origin: "vedette",
    columns: {
      address: text("Vault."),
      balance_dust: big("In dust."),
      balance_asi: { type: "numeric", doc: "`balance_dust` in tokens.", unitsOf: "balance_dust" },
      block_hash: text("Block."),
      block_number: big("Its height."),
      updated_at: createdAt,
    },
    primaryKey: ["address"],
    indexes: [["balance_dust"]],
    relations: {
      block: ofBlock,
      balance_states: { kind: "array", table: "balance_states", column: "address", otherColumn: "address" },
    },
  },
  {
    name: "system_transfers",
    doc: "Movements by the protocol itself: rewards at the end of blocks, stakes of slashed validators.",
    origin: "vedette",
    columns: {
      id: big("In the order in which they were indexed."),
      block_hash: text("Block."),
      block_number: big("Height of the block."),
      kind: text("`closeBlock` or `slash`."),
      from_address: text("Vault that gave."),
      to_address: text("Vault that was given to."),
      amount_dust: big("In dust."),
      amount_asi: { type: "numeric", doc: "`amount_dust` in tokens.", unitsOf: "amount_dust" },
      status: text("`success` or `failed`."),
      fail_reason: nullableText("Why nothing was moved."),
      created_at: createdAt,
    },
    primaryKey: ["id"],
    relations: { block: ofBlock },
    view: `select m.id, m.block_hash, m.block_number, m.kind, m.from_address, m.to_address, m.amount_dust,
      m.amount_asi, m.status, m.fail_reason, m.created_at from movements m where m.deploy_id is null`,
  },
  {
    name: "slashings",
    doc: "Validators that blocks took the stake from.",
    origin: "vedette",
    columns: {
      block_hash: text("Block."),
      position: int("Among the block's own deploys."),
      block_number: big("Height of the block."),
      issuer_public_key: text("Validator that made the block."),
      invalid_block_hash: text("The block that proves the offence."),
      error_message: nullableText("Why it failed."),
      created_at: createdAt,
    },
    primaryKey: ["block_hash", "position"],
    indexes: [["block_number"], ["invalid_block_hash"]],
    relations: { block: ofBlock },
  },
  {
    name: "registered_contracts",
    doc: "What deploys entered into the registry.",
    origin: "vedette",
    columns: {
      uri: text("`rho:id:…`."),
      kind: text("`arbitrary` or `signed`."),
      deploy_id: text("Deploy."),
      deployer: text("Public key of the deployer."),
      block_hash: text("Block."),
      block_number: big("Height of the block."),
      created_at: createdAt,
    },
    primaryKey: ["uri", "deploy_id", "block_hash"],
    indexes: [["deploy_id"], ["block_number"], ["deployer"]],
    relations: { block: ofBlock, deployment: ofDeploy },
  },
  {
    name: "name_writes",
    doc: "Public names that deploys wrote to: names that are in their programs as text or as a number.",
    origin: "vedette",
    columns: {
      block_hash: text("Block."),
      deploy_id: text("Deploy."),
      name: text('The name as written in a program, like `@"hello"`.'),
      channel_hash: text("Hash of the name, as event logs have it."),
      writes: int("How often."),
      block_number: big("Height of the block."),
    },
    primaryKey: ["block_hash", "deploy_id", "channel_hash"],
    indexes: [["name"], ["deploy_id"], ["channel_hash"]],
    relations: { block: ofBlock, deployment: ofDeploy },
  },
  {
    name: "name_reads",
    doc: "Public names that deploys received from, whether something was there or not: names that are in their programs as text or as a number.",
    origin: "vedette",
    columns: {
      block_hash: text("Block."),
      deploy_id: text("Deploy."),
      name: text('The name as written in a program, like `@"hello"`.'),
      channel_hash: text("Hash of the name, as event logs have it."),
      reads: int("How often, with peeks."),
      block_number: big("Height of the block."),
    },
    primaryKey: ["block_hash", "deploy_id", "channel_hash"],
    indexes: [["name"], ["deploy_id"], ["channel_hash"]],
    relations: { block: ofBlock, deployment: ofDeploy },
  },
];

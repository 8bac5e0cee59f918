import type { Column, IndexTable, ViewText } from "./IndexTable.js";

const text = (doc: string): Column => ({ type: "String", doc });
const big = (doc: string): Column => ({ type: "bigint", doc });
const float = (doc: string): Column => ({ type: "float8", doc, isNullable: true });
const moment = (doc: string): Column => ({ type: "timestamptz", doc });

/** Ten minutes are the least that is counted. */
export const trafficSeconds = 600;

function statistics(unit: "hour" | "day", seconds: number): IndexTable {
  const start = `t.bucket - t.bucket % ${seconds}`;
  return {
    name: `statistics_by_${unit}`,
    doc: `What happened in each ${unit}; blocks that were forked away are not counted.`,
    origin: "vedette",
    columns: {
      bucket_start: moment(`Beginning of the ${unit}.`),
      blocks: big("Blocks."),
      deployments: big("Deploys in them."),
      errored: big("Of them, those that failed."),
      transfers: big("Transfers of deploys."),
      phlo_cost: big("What the deploys cost, in phlo."),
      fees_dust: big("What they cost at their prices, in dust."),
      avg_block_time_seconds: float("Length divided by the number of blocks."),
      lagged_blocks: big("Blocks of which the node found out when they became final; the next two are of these."),
      avg_finality_lag_seconds: float("Mean time from a block to the newest one when it became final."),
      avg_finality_lag_blocks: float("Mean number of heights from a block to the newest one when it became final."),
    },
    primaryKey: ["bucket_start"],
    view: perDialect(
      (instant) => `select ${instant("start")} as bucket_start, blocks, deployments, errored, transfers, phlo_cost,
        fees_dust,
        case when blocks > 0 then ${seconds}.0 / blocks end as avg_block_time_seconds, lagged as lagged_blocks,
        lag_ms / 1000.0 / nullif(lagged, 0) as avg_finality_lag_seconds,
        lag_heights * 1.0 / nullif(lagged, 0) as avg_finality_lag_blocks
        from (select ${start} as start, cast(sum(t.blocks) as bigint) as blocks,
          cast(sum(t.deploys) as bigint) as deployments, cast(sum(t.errored) as bigint) as errored,
          cast(sum(t.transfers) as bigint) as transfers, cast(sum(t.phlo_cost) as bigint) as phlo_cost,
          cast(sum(t.fees_dust) as bigint) as fees_dust, cast(sum(t.lagged) as bigint) as lagged,
          cast(sum(t.lag_heights) as bigint) as lag_heights, cast(sum(t.lag_ms) as bigint) as lag_ms
          from traffic t group by ${start}) as counted`,
    ),
  };
}

function perDialect(make: (instant: (seconds: string) => string) => string): ViewText {
  return {
    sqlite: make((seconds) => `strftime('%Y-%m-%dT%H:%M:%S+00:00', ${seconds}, 'unixepoch')`),
    postgres: make((seconds) => `to_timestamp(${seconds})`),
  };
}

/** For a row `t` of `traffic` with `before`, the latest time of the one before it: the time between its blocks. */
export const passedMs = `(t.last_timestamp -
  coalesce(t.before, (select min(b.timestamp) from chain_blocks b where b.fate <> 'forkedAway')))`;
/** How many times between blocks that is: the first block of all has none before it. */
export const gaps = "(t.blocks - case when t.before is null and t.blocks > 0 then 1 else 0 end)";

/** Counts over time, and other data that the ecosystem's clients request besides tables. @spec 60 §2 */
export const statisticsViews: readonly IndexTable[] = [
  statistics("hour", 3600),
  statistics("day", 86_400),
  {
    name: "network_metrics_buckets",
    doc: "Counts of ten minutes each.",
    origin: "ecosystem",
    columns: {
      bucket_start: moment("Beginning."),
      bucket_end: moment("End."),
      avg_block_time_sec: float("Mean time between a block of this bucket and the one before it."),
      deployments_count: big("Deploys."),
      transfers_count: big("Transfers."),
    },
    primaryKey: ["bucket_start"],
    view: perDialect(
      (
        instant,
      ) => `select ${instant("t.bucket")} as bucket_start, ${instant(`t.bucket + ${trafficSeconds}`)} as bucket_end,
        ${passedMs} / 1000.0 / nullif(${gaps}, 0) as avg_block_time_sec,
        t.deploys as deployments_count, t.transfers as transfers_count
        from (select *, lag(last_timestamp) over (order by bucket) as before from traffic) as t`,
    ),
  },
  {
    name: "network_metrics_view",
    doc: "The columns of what `get_network_metrics` answers; has no rows.",
    origin: "ecosystem",
    columns: {
      bucket_start: moment("Beginning."),
      bucket_end: moment("End."),
      avg_block_time_seconds: { type: "float8", doc: "Time between blocks." },
      avg_tps: { type: "float8", doc: "Deploys in a second." },
      deployments_count: big("Deploys."),
      transfers_count: big("Transfers."),
    },
    primaryKey: [],
    view: perDialect(
      (instant) => `select ${instant("0")} as bucket_start, ${instant("0")} as bucket_end,
        0.0 as avg_block_time_seconds, 0.0 as avg_tps, cast(0 as bigint) as deployments_count,
        cast(0 as bigint) as transfers_count where 1 = 0`,
    ),
  },
  {
    name: "network_stats_view",
    doc: "The first hundred blocks after genesis, and their times.",
    origin: "ecosystem",
    columns: {
      total_blocks: big("How many there are of them."),
      avg_block_time_seconds: float("Between them."),
      earliest_block_time: { ...big("Of the first one: milliseconds since 1970."), isNullable: true },
      latest_block_time: { ...big("Of the last one."), isNullable: true },
    },
    primaryKey: [],
    view: `select count(*) as total_blocks,
      (max(timestamp) - min(timestamp)) / 1000.0 / nullif(count(*) - 1, 0) as avg_block_time_seconds,
      min(timestamp) as earliest_block_time, max(timestamp) as latest_block_time
      from (select timestamp from chain_blocks where block_number > 0 order by block_number, id limit 100) as first_blocks`,
  },
  {
    name: "block_ancestors_view",
    doc: "The columns of what `get_block_ancestors` answers; has no rows.",
    origin: "ecosystem",
    columns: { ancestor_hash: text("Block."), ancestor_number: big("Height."), depth: { type: "Int", doc: "Steps." } },
    primaryKey: [],
    view: "select '' as ancestor_hash, cast(0 as bigint) as ancestor_number, 0 as depth where 1 = 0",
  },
  {
    name: "block_descendants_view",
    doc: "The columns of what `get_block_descendants` answers; has no rows.",
    origin: "ecosystem",
    columns: {
      descendant_hash: text("Block."),
      descendant_number: big("Height."),
      depth: { type: "Int", doc: "Steps." },
    },
    primaryKey: [],
    view: "select '' as descendant_hash, cast(0 as bigint) as descendant_number, 0 as depth where 1 = 0",
  },
  {
    name: "transaction_history_view",
    doc: "Deploys with their transfers: a row for each transfer, and for each deploy without any.",
    origin: "ecosystem",
    columns: {
      transfer_id: { ...big("Transfer."), isNullable: true },
      deploy_id: text("Deploy."),
      block_hash: text("Block."),
      block_number: big("Height."),
      timestamp: big("Of the deploy: milliseconds since 1970."),
      type: text("`transfer` or `not_transfer`."),
      deployer_address: text("Vault address of the deployer."),
      from_address: { ...text("Vault that gave."), isNullable: true },
      to_address: { ...text("Vault that was given to."), isNullable: true },
      from_public_key: { ...text("Key of the deployer where its vault gave."), isNullable: true },
      amount_asi: { type: "numeric", doc: "In tokens.", unitsOf: "amount_dust", isNullable: true },
      status: { ...text("Of the transfer."), isNullable: true },
      amount_dust: { ...big("In dust. Ours."), isNullable: true },
    },
    primaryKey: [],
    view: `select m.id as transfer_id, d.deploy_id, d.block_hash, d.block_number, d.timestamp,
      case when m.id is null then 'not_transfer' else 'transfer' end as type, d.deployer_address, m.from_address,
      m.to_address, m.from_public_key, m.amount_asi, m.status, m.amount_dust
      from deploys d left join movements m on m.deploy_id = d.deploy_id and m.fate is not null`,
  },
];

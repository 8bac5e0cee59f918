import { GraphQLError } from "graphql";
import { type RawBuilder, sql } from "kysely";
import type { IndexLocation } from "../database/openDatabase.js";
import type { Column } from "../schema/IndexTable.js";
import { gaps, passedMs, trafficSeconds } from "../schema/statisticsViews.js";

/** Rows that depend on arguments; requested like tables, with `args`. */
export interface TableFunction {
  readonly name: string;
  readonly doc: string;
  /** The table with the columns of the rows. */
  readonly rows: string;
  readonly parameters: { readonly [name: string]: { readonly type: Column["type"] } };
  /** The rows as a query. */
  readonly query: (kind: IndexLocation["kind"], given: Readonly<Record<string, unknown>>) => RawBuilder<unknown>;
}

/** Steps that ancestors and descendants are followed for, and blocks in an answer. */
const maxSteps = 10_000;
const maxDivisions = 1_000;
const maxHours = 24 * 366 * 10;
const longestSearch = 500;

/** Functions beside the tables. @spec 60 §4 */
export const tableFunctions: readonly TableFunction[] = [
  {
    name: "get_network_metrics",
    doc: "Counts of the hours before the latest block, in equal parts.",
    rows: "network_metrics_view",
    parameters: { p_range_hours: { type: "Int" }, p_divisions: { type: "Int" } },
    query: (kind, given) => {
      const hours = between(given, "p_range_hours", 24, maxHours);
      const divisions = between(given, "p_divisions", 7, maxDivisions);
      return networkMetrics(kind, hours, divisions);
    },
  },
  {
    name: "get_block_ancestors",
    doc: "The blocks that a block is built on, with the fewest steps to each.",
    rows: "block_ancestors_view",
    parameters: { p_block_hash: { type: "String" } },
    query: (_kind, given) => relatives(requiredText(given, "p_block_hash"), "ancestor"),
  },
  {
    name: "get_block_descendants",
    doc: "The blocks that are built on a block, with the fewest steps to each.",
    rows: "block_descendants_view",
    parameters: { p_block_hash: { type: "String" } },
    query: (_kind, given) => relatives(requiredText(given, "p_block_hash"), "descendant"),
  },
  {
    name: "search_deployments",
    doc: "Deploys with programs that have all of these words; a word that ends in `*` matches all that begin so. Ours.",
    rows: "deployments",
    parameters: { query: { type: "String" } },
    query: (kind, given) => {
      const words = requiredText(given, "query").match(/[\p{L}\p{N}_]+\*?/gu) ?? [];
      if (words.length === 0) throw new GraphQLError("args.query must have a word of letters, digits or _.");
      return foundByWords(kind, words.slice(0, 20));
    },
  },
];

function foundByWords(kind: IndexLocation["kind"], words: readonly string[]): RawBuilder<unknown> {
  if (kind === "sqlite") {
    const match = words.map((word) => (word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`)).join(" ");
    return sql`select * from deployments where deploy_id in (select d.deploy_id from deploys d
      where d.source_id in (select rowid from deploy_words where deploy_words match ${match}))`;
  }
  const match = words.map((word) => (word.endsWith("*") ? `${word.slice(0, -1)}:*` : word)).join(" & ");
  return sql`select * from deployments where deploy_id in (select d.deploy_id from deploys d
    join deploy_sources s on s.id = d.source_id where s.words @@ to_tsquery('simple', ${match}))`;
}

/** Whole buckets are shared out to parts by their beginning. */
function networkMetrics(kind: IndexLocation["kind"], hours: number, divisions: number): RawBuilder<unknown> {
  const range = hours * 3600;
  const step = Math.max(1, Math.floor(range / divisions));
  const instant = (seconds: RawBuilder<unknown>) =>
    kind === "sqlite"
      ? sql`strftime('%Y-%m-%dT%H:%M:%S+00:00', ${seconds}, 'unixepoch')`
      : sql`to_timestamp(${seconds})`;
  const number = (value: number) => sql.lit(value);
  return sql`with recursive top as (select coalesce(max(bucket), 0) + ${number(trafficSeconds)} as top_end from traffic),
    parts(part) as (select 0 union all select part + 1 from parts where part + 1 < ${number(divisions)}),
    spans as (select top_end - ${number(step * divisions)} + part * ${number(step)} as part_start from parts, top),
    counted as (select t.*, (select p.last_timestamp from traffic p where p.bucket < t.bucket
      order by p.bucket desc limit 1) as before from traffic t where t.bucket >= (select min(part_start) from spans)),
    timed as (select t.*, ${sql.raw(passedMs)} as passed_ms, ${sql.raw(gaps)} as gaps from counted t where t.blocks > 0)
    select ${instant(sql`s.part_start`)} as bucket_start, ${instant(sql`s.part_start + ${number(step)}`)} as bucket_end,
      coalesce(sum(t.passed_ms) / 1000.0 / nullif(sum(t.gaps), 0), 0.0) as avg_block_time_seconds,
      coalesce(sum(t.deploys), 0) * 1.0 / ${number(step)} as avg_tps,
      cast(coalesce(sum(t.deploys), 0) as bigint) as deployments_count,
      cast(coalesce(sum(t.transfers), 0) as bigint) as transfers_count
    from spans s left join timed t on t.bucket >= s.part_start and t.bucket < s.part_start + ${number(step)}
    group by s.part_start`;
}

function relatives(hash: string, side: "ancestor" | "descendant"): RawBuilder<unknown> {
  const [from, to] = side === "ancestor" ? ["block_hash", "parent_hash"] : ["parent_hash", "block_hash"];
  const [fromColumn, toColumn] = [sql.ref(`p.${from}`), sql.ref(`p.${to}`)];
  const steps = sql.lit(maxSteps);
  return sql`with recursive found(hash, depth) as (
      select ${toColumn}, 1 from block_parents p where ${fromColumn} = ${hash}
      union select ${toColumn}, f.depth + 1 from block_parents p join found f on ${fromColumn} = f.hash
        where f.depth < ${steps}),
    nearest as (select hash, min(depth) as depth from found group by hash)
    select n.hash as ${sql.ref(`${side}_hash`)}, b.block_number as ${sql.ref(`${side}_number`)}, n.depth as depth
    from nearest n join chain_blocks b on b.block_hash = n.hash`;
}

function between(given: Readonly<Record<string, unknown>>, name: string, fallback: number, most: number): number {
  const value = given[name] ?? fallback;
  if (typeof value !== "number" || value < 1 || value > most)
    throw new GraphQLError(`args.${name} must lie between 1 and ${most}.`);
  return value;
}

function requiredText(given: Readonly<Record<string, unknown>>, name: string): string {
  const value = given[name];
  if (typeof value !== "string" || value.length > longestSearch)
    throw new GraphQLError(`args.${name} must be a text of ${longestSearch} characters at most.`);
  return value;
}

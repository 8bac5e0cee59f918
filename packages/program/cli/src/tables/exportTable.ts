import { type JsonInput, JsonNumber } from "@vedette/api";
import { type Column, type IndexTable, openTables } from "@vedette/indexer/schema";
import { escapeControls } from "@vedette/terminal";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import { CommandError } from "../client/CommandError.js";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { adminPlace } from "../context/nodePlace.js";
import { WholeFile } from "../WholeFile.js";
import { querySql, rowsOf } from "./querySql.js";
import { arrowFile, parquetFile, type TableFile, textFile } from "./tableFiles.js";

/** Rows that are requested at once. */
const pageRows = 2_000;
const timeoutMs = 120_000;
/** Columns that give the time of a row, the first that a table has. */
const timeColumns = ["created_at", "updated_at", "bucket_start"];

/** `vedette export`: page after page, in the order of the table's key. @throws {CommandError} */
export async function exportTable(host: CommandHost, options: Options): Promise<CommandAnswer> {
  const table = tableOf(String(options["table"]));
  const path = options["out"] as string | undefined;
  using whole = path === undefined ? undefined : begun(path);
  const file = await fileOf(options["format"] as FileFormat, whole, table);
  const url = adminPlace(host, options, "reads");
  const columns = Object.keys(table.columns);
  const span = spanOf(table, options);
  let after: readonly JsonInput[] | undefined;
  let count = 0;
  for (;;) {
    const query = pageQuery(table, columns, span, after);
    const { text } = await querySql({ url, query, format: "json", rows: pageRows, timeoutMs });
    const { rows } = rowsOf(text);
    await writePage(file, columns, rows);
    count += rows.length;
    if (rows.length < pageRows) break;
    after = table.primaryKey.map((key) => rows.at(-1)![columns.indexOf(key)]!);
  }
  await file.end();
  whole?.done();
  const text = path === undefined ? "" : `${count} rows of ${table.name} are in ${path}`;
  return { text, json: { table: table.name, rows: count, ...(path === undefined ? {} : { file: path }) } };
}

type FileFormat = "csv" | "ndjson" | "parquet" | "arrow";

async function fileOf(format: FileFormat, whole: WholeFile | undefined, table: IndexTable): Promise<TableFile> {
  if (format === "csv" || format === "ndjson") return textFile(format, writerOf(whole));
  if (whole === undefined) throw new CommandError({ code: "missingArgument", expected: "--out <file>" });
  return format === "parquet" ? parquetFile(whole.place, table) : arrowFile(writerOf(whole), table);
}

async function writePage(file: TableFile, columns: readonly string[], rows: readonly (readonly JsonInput[])[]) {
  await file.write(
    columns,
    rows.map((row) => row.map(plainOf)),
  );
}

/** Numbers as `bigint` where they are whole. */
function plainOf(cell: JsonInput): string | bigint | number | boolean | null {
  if (cell instanceof JsonNumber) return /^-?\d+$/.test(cell.text) ? BigInt(cell.text) : Number(cell.text);
  return cell === null || typeof cell === "boolean" || typeof cell === "string" ? cell : JSON.stringify(cell);
}

function tableOf(name: string): IndexTable {
  const known = openTables.filter(({ primaryKey }) => primaryKey.length > 0);
  const table = known.find((one) => one.name === name);
  if (table === undefined) {
    const names = known.map((one) => one.name).join(", ");
    throw new CommandError({ code: "badArgument", name: "--table", expected: `one of ${names}` });
  }
  return table;
}

function spanOf(table: IndexTable, options: Options): string[] {
  const [since, until] = [options["since"], options["until"]] as (string | undefined)[];
  if (since === undefined && until === undefined) return [];
  const column = timeColumns.find((name) => table.columns[name] !== undefined);
  const byBlock = "block_hash in (select block_hash from blocks where created_at";
  if (column === undefined && table.columns["block_hash"] === undefined)
    throw new CommandError({ code: "badArgument", name: "--since", expected: `left out: ${table.name} has no time` });
  const condition = (operator: string, time: string) =>
    column === undefined ? `${byBlock} ${operator} '${time}')` : `${column} ${operator} '${time}'`;
  return [
    ...(since === undefined ? [] : [condition(">=", since)]),
    ...(until === undefined ? [] : [condition("<", until)]),
  ];
}

function pageQuery(
  { name, columns, primaryKey }: IndexTable,
  chosen: readonly string[],
  span: readonly string[],
  after: readonly JsonInput[] | undefined,
): string {
  const conditions = [...span];
  if (after !== undefined) {
    const values = after.map((value, at) => literal(value, columns[primaryKey[at]!]!));
    conditions.push(`(${primaryKey.join(", ")}) > (${values.join(", ")})`);
  }
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  return `select ${chosen.join(", ")} from ${name}${where} order by ${primaryKey.join(", ")} limit ${pageRows}`;
}

function literal(value: JsonInput, { type }: Column): string {
  const text = value instanceof JsonNumber ? value.text : String(value);
  return type === "bigint" || type === "Int" ? text : `'${text.replaceAll("'", "''")}'`;
}

function writerOf(whole: WholeFile | undefined): (part: string | Uint8Array) => void {
  if (whole !== undefined) return (part) => whole.write(part);
  // Cells have text of users: a file keeps them as they are, a terminal must not.
  return (part) =>
    void process.stdout.write(process.stdout.isTTY && typeof part === "string" ? escapeControls(part) : part);
}

/** @throws {CommandError} `unreadableFile` */
function begun(path: string): WholeFile {
  try {
    return new WholeFile(path);
  } catch (error) {
    const { message: reason } = error as Error;
    throw new CommandError({ code: "unreadableFile", path, reason }, { cause: error });
  }
}

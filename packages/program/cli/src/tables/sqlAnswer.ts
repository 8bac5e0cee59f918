import { type JsonInput, JsonNumber, type JsonValue } from "@vedette/api";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { adminPlace } from "../context/nodePlace.js";
import { querySql, rowsOf } from "./querySql.js";

const msPerSecond = 1_000;
/** Longer cells are cut in a table. */
const widestCell = 70;

/** `vedette sql`. @throws {CommandError} */
export async function sql(host: CommandHost, options: Options, query = ""): Promise<CommandAnswer> {
  const [format, isJson] = [options["format"] as "table" | "csv" | "ndjson", options["json"] === true];
  const { text, isCut } = await querySql({
    url: adminPlace(host, options, "reads"),
    query,
    format: format === "table" || isJson ? "json" : format,
    rows: Number(options["maxRows"]),
    timeoutMs: Number(options["timeout"]) * msPerSecond,
  });
  if (isCut) host.note(`More than ${String(options["maxRows"])} rows; raise --max-rows to see them.`);
  if (format !== "table" && !isJson) return { text, json: text };
  const { columns, rows } = rowsOf(text);
  return {
    text: tableText(columns, rows),
    json: { columns: [...columns], rows: rows.map((row) => row.map(valueOfCell)), isCut },
  };
}

function valueOfCell(cell: JsonInput): JsonValue {
  return cell instanceof JsonNumber ? numberOf(cell.text) : (cell as JsonValue);
}

function numberOf(text: string): bigint | number {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

function tableText(columns: readonly string[], rows: readonly (readonly JsonInput[])[]): string {
  const lines = [columns, ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const isNumber = columns.map((_, at) => rows.every((row) => row[at] === null || row[at] instanceof JsonNumber));
  const printed = lines.map((line) =>
    line
      .map((cell, at) => (isNumber[at] === true ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
  return [...printed, `(${rows.length} ${rows.length === 1 ? "row" : "rows"})`].join("\n");
}

function cellText(cell: JsonInput): string {
  if (cell === null) return "";
  const text = cell instanceof JsonNumber ? cell.text : String(cell).replace(/\s+/g, " ");
  return text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text;
}

import type { ArrowColumn, Column, IndexTable } from "@vedette/indexer/schema";
import { arrowParts, arrowStream, arrowTypes, rowsText } from "@vedette/indexer/schema";

/** A value of a row. */
export type CellValue = string | bigint | number | boolean | null;

/** A file that rows are written to. */
export interface TableFile {
  readonly write: (columns: readonly string[], rows: readonly (readonly CellValue[])[]) => void | Promise<void>;
  readonly end: () => void | Promise<void>;
}

/** Rows as text; the names of columns once. */
export function textFile(format: "csv" | "ndjson", write: (text: string) => void): TableFile {
  let isBegun = false;
  return {
    write: (columns, rows) => {
      const text = rowsText(format, columns, rows);
      write(isBegun && format === "csv" ? text.slice(text.indexOf("\r\n") + 2) : text);
      isBegun = true;
    },
    end: () => {},
  };
}

/** A stream of Apache Arrow, a batch for each page. Amounts in tokens are floating numbers; those in dust are exact. */
export function arrowFile(write: (bytes: Uint8Array) => void, table: IndexTable): TableFile {
  const columns = Object.entries(table.columns).map(
    ([name, { type }]): ArrowColumn => ({ name, type: arrowTypes[type] }),
  );
  let isBegun = false;
  const begin = (schema: Uint8Array) => {
    if (!isBegun) write(schema);
    isBegun = true;
  };
  return {
    write: async (_names, rows) => {
      if (rows.length === 0) return;
      const { schema, batches } = arrowParts(await arrowStream(columns, rows));
      begin(schema);
      write(batches);
    },
    end: async () => {
      const { schema, end } = arrowParts(await arrowStream(columns, []));
      begin(schema);
      write(end);
    },
  };
}

const parquetTypes: { readonly [K in Column["type"]]: ParquetType } = {
  String: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  Int: { type: "INT64" },
  bigint: { type: "INT64" },
  numeric: { type: "DOUBLE" },
  float8: { type: "DOUBLE" },
  Boolean: { type: "BOOLEAN" },
  jsonb: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  timestamp: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  timestamptz: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

type ParquetType =
  | { readonly type: "BYTE_ARRAY"; readonly converted_type: "UTF8" }
  | { readonly type: "INT64" | "DOUBLE" | "BOOLEAN" };

/** Apache Parquet, a group of rows for each page. Amounts in tokens are floating numbers; those in dust are exact. */
export async function parquetFile(path: string, table: IndexTable): Promise<TableFile> {
  const { fileWriter, ParquetWriter } = await import("hyparquet-writer");
  const columns = Object.entries(table.columns);
  const schema = [
    { name: "root", num_children: columns.length },
    ...columns.map(([name, { type }]) => ({ name, repetition_type: "OPTIONAL" as const, ...parquetTypes[type] })),
  ];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema });
  return {
    write: async (_names, rows) => {
      const columnData = columns.map(([name, { type }], at) => ({
        name,
        data: rows.map((row) => storedValue(row[at]!, type)),
      }));
      if (rows.length > 0) await writer.write({ columnData, rowGroupSize: rows.length });
    },
    end: async () => {
      await writer.finish();
    },
  };
}

function storedValue(value: CellValue, type: Column["type"]): CellValue {
  if (value === null) return null;
  if (type === "Boolean") return value === true || value === 1n;
  if (type === "numeric" || type === "float8") return Number(value);
  if (type === "Int" || type === "bigint") return BigInt(value as bigint);
  return String(value);
}

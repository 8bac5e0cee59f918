import type { Column } from "../schema/IndexTable.js";

/** Types of columns in Arrow's form. */
export type ArrowType = "int64" | "float64" | "bool" | "utf8";

/** A column by its name; names may be the same. */
export interface ArrowColumn {
  readonly name: string;
  readonly type: ArrowType;
}

/** The Arrow type of each type of column. Times and JSON are texts; amounts in tokens floating numbers. */
export const arrowTypes: { readonly [K in Column["type"]]: ArrowType } = {
  String: "utf8",
  Int: "int64",
  bigint: "int64",
  numeric: "float64",
  float8: "float64",
  Boolean: "bool",
  jsonb: "utf8",
  timestamp: "utf8",
  timestamptz: "utf8",
};

/** The type of a query's column, as far as its values show it; texts where they differ or there are none. */
export function arrowTypeOf(values: readonly unknown[]): ArrowType {
  const kinds = new Set(values.flatMap((value) => (value === null || value === undefined ? [] : [typeof value])));
  if (kinds.size === 1 && kinds.has("boolean")) return "bool";
  if (kinds.size === 1 && kinds.has("bigint")) return "int64";
  return kinds.size > 0 && [...kinds].every((kind) => kind === "number" || kind === "bigint") ? "float64" : "utf8";
}

/** Rows as a stream of Apache Arrow's IPC format: the schema, a batch, and the mark of its end. */
export async function arrowStream(
  columns: readonly ArrowColumn[],
  rows: readonly (readonly unknown[])[],
): Promise<Uint8Array> {
  const arrow = await import("@uwdata/flechette");
  const types = { int64: arrow.int64, float64: arrow.float64, bool: arrow.bool, utf8: arrow.utf8 };
  const made = columns.map(({ name, type }, at): [string, ReturnType<typeof arrow.columnFromArray>] => {
    const values = rows.map((row) => cellOf(row[at], type));
    return [name, arrow.columnFromArray(values, types[type]())];
  });
  return arrow.tableToIPC(arrow.tableFromColumns(made), { format: "stream" })!;
}

function cellOf(value: unknown, type: ArrowType): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "int64":
      return BigInt(value as bigint);
    case "float64":
      return Number(value);
    case "bool":
      return value === true || value === 1n;
    case "utf8":
      return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
  }
}

const endBytes = 8;

/** Returns the parts of {@link arrowStream}'s result, so that one stream can contain batches of several. */
export function arrowParts(stream: Uint8Array) {
  // A message begins with a mark of four bytes and the length of its head; the schema has nothing but a head.
  const head = new DataView(stream.buffer, stream.byteOffset).getUint32(4, true);
  const [schemaEnd, end] = [8 + head, stream.length - endBytes];
  return { schema: stream.subarray(0, schemaEnd), batches: stream.subarray(schemaEnd, end), end: stream.subarray(end) };
}

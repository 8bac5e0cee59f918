import { tableFromIPC } from "@uwdata/flechette";
import { openTables } from "@vedette/indexer/schema";
import { expect, test } from "vitest";
import { arrowFile, type CellValue } from "./tableFiles.js";

const table = openTables.find(({ name }) => name === "transfers")!;
const columns = Object.keys(table.columns);
const row = (amount: bigint | null, text: string): CellValue[] =>
  columns.map((name) => (name === "amount_dust" ? amount : name === "to_address" ? text : null));

async function written(pages: readonly (readonly CellValue[][])[]) {
  const parts: Uint8Array[] = [];
  const file = arrowFile((bytes) => void parts.push(Uint8Array.from(bytes)), table);
  for (const page of pages) await file.write(columns, page);
  await file.end();
  return tableFromIPC(Uint8Array.from(Buffer.concat(parts)), { useBigInt: true });
}

test("pages are batches of one stream of Arrow, and integers are exact", async () => {
  const pages = [[row(9_007_199_254_740_993n, "a"), row(null, "é\u0000")], [], [row(-1n, "")]];
  const arrow = await written(pages);
  expect(arrow.schema.fields.map(({ name }) => name)).toEqual(columns);
  expect(arrow.toArray().map((one) => [one.amount_dust, one.to_address])).toEqual([
    [9_007_199_254_740_993n, "a"],
    [null, "é\u0000"],
    [-1n, ""],
  ]);
});

test("a table without rows is a stream with its columns", async () => {
  const arrow = await written([]);
  expect([arrow.numRows, arrow.schema.fields.length]).toEqual([0, columns.length]);
});

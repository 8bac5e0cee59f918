import { type NativeToken, printTokens } from "@vedette/client";
import { csvOf } from "../../text/csv.js";
import { readTransferRows, type TransferQuestion, type TransferRow } from "./readTransferRows.js";

/** Rows of one file, and of one question. */
export const maxInFile = 10_000;
const atOnce = 1_000;

const head = ["time", "block", "from", "to", "amount", "token", "status", "reason", "state", "deploy"];

/** Transfers as CSV, {@link maxInFile} at most. Times are UTC. @throws {IndexQueryError} */
export async function transfersCsv(
  question: Pick<TransferQuestion, "where" | "by">,
  token: NativeToken,
  signal: AbortSignal,
): Promise<string> {
  const rows: TransferRow[] = [];
  for (let skip = 0; skip < maxInFile; skip += atOnce) {
    const page = await readTransferRows({ ...question, skip, limit: atOnce }, signal);
    rows.push(...page);
    if (page.length < atOnce) break;
  }
  return csvOf(
    head,
    rows.map((row) => cellsOf(row, token)),
  );
}

function cellsOf(row: TransferRow, { decimals, symbol }: NativeToken): string[] {
  const amount = printTokens(BigInt(row.amount_dust), decimals);
  const [from, to] = [row.from_address, row.to_address];
  return [
    ...[timeOf(row.timestamp), row.block_number, from, to, amount, symbol],
    ...[row.status, row.fail_reason ?? "", row.fate, row.deploy_id],
  ];
}

/** A deploy may claim any time. */
function timeOf(ms: string): string {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? ms : date.toISOString();
}

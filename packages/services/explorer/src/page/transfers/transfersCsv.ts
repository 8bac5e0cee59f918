import { type NativeToken, printTokens } from "@vedette/client";
import { fileTime, readAllRows } from "../../data/indexConditions.js";
import { csvOf } from "../../text/csv.js";
import { readTransferRows, type TransferQuestion, type TransferRow } from "./readTransferRows.js";

const head = ["time", "block", "from", "to", "amount", "token", "status", "reason", "state", "deploy"];

/** Transfers as CSV, ten thousand at most. Times are UTC. @throws {IndexQueryError} */
export async function transfersCsv(
  question: Pick<TransferQuestion, "where" | "by">,
  token: NativeToken,
  signal: AbortSignal,
): Promise<string> {
  const rows = await readAllRows((page) => readTransferRows({ ...question, ...page }, signal));
  return csvOf(
    head,
    rows.map((row) => cellsOf(row, token)),
  );
}

function cellsOf(row: TransferRow, { decimals, symbol }: NativeToken): string[] {
  const amount = printTokens(BigInt(row.amount_dust), decimals);
  const [from, to] = [row.from_address, row.to_address];
  return [
    ...[fileTime(row.timestamp), row.block_number, from, to, amount, symbol],
    ...[row.status, row.fail_reason ?? "", row.fate, row.deploy_id],
  ];
}

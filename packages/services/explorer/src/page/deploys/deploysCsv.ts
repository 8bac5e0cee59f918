import { deployStateTexts } from "@vedette/client";
import { fileTime, readAllRows } from "../../data/indexConditions.js";
import { csvOf } from "../../text/csv.js";
import type { DeployRow } from "./deployRow.js";

/** The probable kind of a deploy's program, according to the index. */
export const deployKinds: Readonly<Record<string, string>> = {
  asi_transfer: "Transfer",
  validator_operation: "Validator",
  registry_lookup: "Registry lookup",
  finalizer_contract: "Finalizer",
  auction_contract: "Auction",
  smart_contract: "Other program",
};

/** A deploy as a file has it. */
export interface FiledDeploy extends DeployRow {
  readonly deployment_type: string;
}

/** Returns a list of deploys as a file. @param read returns a page of the list */
export async function deploysCsv(
  read: (page: { readonly skip: number; readonly limit: number }) => Promise<readonly FiledDeploy[]>,
): Promise<string> {
  const rows = await readAllRows(read);
  const head = ["signed", "height", "deploy", "deployer", "kind", "phlo", "state"];
  return csvOf(
    head,
    rows.map((row) => [
      ...[fileTime(row.timestamp), row.block_number, row.deploy_id, row.deployer],
      ...[deployKinds[row.deployment_type] ?? row.deployment_type, row.phlo_cost, deployStateTexts[row.fate].word],
    ]),
  );
}

import type { DeployFact } from "@vedette/api";
import { systemNames } from "@vedette/client";
import { f1r3node, rnode } from "@vedette/protocol";
import {
  type KnownTransfers,
  programReaderOf,
  type SummedUpDeploy,
  summarizeDeploy,
} from "@vedette/queries/deployEffects";
import type { ReadRow } from "../database/IndexReader.js";
import type { ReadBudget } from "../database/ReadBudget.js";

const readers = { rnode: programReaderOf(rnode.blockForm), f1r3node: programReaderOf(f1r3node.blockForm) };
const f1r3nodeNames = Object.values(systemNames.f1r3node);

/** A program is read by the rules of the dialect of the contracts that it names. */
function readProgram(term: string) {
  return readers[f1r3nodeNames.some((name) => term.includes(name)) ? "f1r3node" : "rnode"](term);
}

/**
 * Returns the effects of deploys.
 *
 * @param rows      of `deployments`, with the columns of `summaryField`
 * @param transfers rows of `transfers` of these deploys
 * @param since height from which the index knows transfers
 */
export function summariesOf(
  rows: readonly ReadRow[],
  transfers: readonly ReadRow[],
  { since, budget }: { readonly since: bigint; readonly budget: ReadBudget },
): (readonly object[] | null)[] {
  const byDeploy = new Map<unknown, ReadRow[]>();
  for (const row of transfers) byDeploy.set(row["deploy_id"], [...(byDeploy.get(row["deploy_id"]) ?? []), row]);
  return rows.map((row) => {
    const term = row["term"] as string;
    if (!budget.takeProgram(term.length)) return null;
    const moved = (byDeploy.get(row["deploy_id"]) ?? []).map((transfer) => ({
      from: transfer["from_address"] as string,
      to: transfer["to_address"] as string,
      amount: BigInt(transfer["amount_dust"] as bigint),
      failReason: failReasonOf(transfer, row),
    }));
    const isKnown = BigInt(row["block_number"] as bigint) >= since;
    const known: KnownTransfers = isKnown ? { kind: "known", transfers: moved } : { kind: "unknown" };
    return summarizeDeploy({ term, run: runOf(row), transfers: known }, readProgram).map(printable);
  });
}

const lostTexts: Readonly<Record<string, string>> = {
  rejected: "A merge gave the deploy up.",
  expired: "A merge gave the deploy up.",
  forkedAway: "The block will never be final.",
};

function failReasonOf(transfer: ReadRow, deploy: ReadRow): string | undefined {
  if (transfer["status"] === "failed") return (transfer["fail_reason"] as string | null) ?? "The transfer failed.";
  return lostTexts[deploy["fate"] as string];
}

function runOf(row: ReadRow): SummedUpDeploy["run"] {
  if (row["errored"] === true || row["errored"] === 1n || row["errored"] === 1)
    return { failed: { reason: (row["error_message"] as string | null) ?? undefined, line: undefined } };
  return lostTexts[row["fate"] as string] === undefined ? "ran" : "lost";
}

/** Amounts are texts: no reader rounds them. */
function printable(fact: DeployFact): object {
  return "amount" in fact ? { ...fact, amount: fact.amount === null ? null : String(fact.amount) } : fact;
}

import type { DeployFact } from "@vedette/api";
import { asiToken, deploySummaryText } from "@vedette/client";
import { findDialect } from "@vedette/protocol";
import {
  type KnownTransfers,
  programReaderOf,
  type SummedUpDeploy,
  summarizeDeploy,
} from "@vedette/queries/deployEffects";
import type { DeployInBlock, DeployResult } from "./commandResult.js";
import type { NodeCommand } from "./NodeCommand.js";
import { networkFacts } from "./networkFacts.js";

/** The effects of a deploy: as facts, and in one line. */
export interface DeploySummary {
  readonly facts: readonly DeployFact[];
  readonly text: string;
}

/** @returns `undefined` of a deploy that no block has */
export async function summaryOf(command: NodeCommand, result: DeployResult): Promise<DeploySummary | undefined> {
  const { inBlock } = result;
  if (inBlock === undefined) return undefined;
  const { dialect, token = asiToken } = await networkFacts(command);
  const form = dialect && findDialect(dialect)?.blockForm;
  const { term } = inBlock.source;
  const facts = summarizeDeploy(
    { term, run: runOf(result, inBlock), transfers: transfersOf(inBlock) },
    programReaderOf(form),
  );
  return { facts, text: deploySummaryText(facts, token) };
}

function runOf({ status }: DeployResult, { errored, systemDeployError, note }: DeployInBlock): SummedUpDeploy["run"] {
  if (systemDeployError !== "") return { failed: { reason: systemDeployError, line: undefined } };
  const fault = note?.faults[0];
  if (errored) return { failed: { reason: fault?.text, line: fault?.line === 0 ? undefined : fault?.line } };
  if (status === "pending") return "notRun";
  return status === "rejected" || status === "expired" ? "lost" : "ran";
}

/** Transfers of a deploy; unknown from rnode nodes: their gRPC API does not return them. */
function transfersOf({ source: { transfers, transfersAvailable } }: DeployInBlock): KnownTransfers {
  if (!transfersAvailable) return { kind: "unknown" };
  const moved = transfers.map(({ fromAddr: from, toAddr: to, amount, success, failReason }) => {
    return { from, to, amount, failReason: success ? undefined : failReason };
  });
  return { kind: "known", transfers: moved };
}

import { ClientError } from "@vedette/client";
import { StateProofError } from "@vedette/client/proof";
import { LightClientError, LightError } from "@vedette/light";
import { reasonOf } from "../data/node.js";
import type { Finding, Lie } from "./Finding.js";
import { LieError } from "./LieError.js";

/**
 * Returns the finding of a failed check: a lie if evidence contradicts the node, else that nothing is shown.
 *
 * @throws errors that are not failures of a node
 */
export function failedFinding(error: unknown): Finding {
  const nothing = { checked: [], left: [], lies: [] };
  const lies = liesIn(error);
  if (lies.length > 0) return { ...nothing, state: "wrong", lies };
  if (error instanceof ClientError) return { ...nothing, state: "unclear", left: [reasonOf(error)] };
  if (error instanceof LightClientError || error instanceof LightError) {
    const { failure } = error;
    const left = failure.code === "noAnswer" ? failure.reports.map(({ reason }) => reason) : [error.message];
    return { ...nothing, state: "unclear", left };
  }
  throw error;
}

function liesIn(error: unknown): readonly Lie[] {
  if (error instanceof LieError) return error.lies;
  if (error instanceof StateProofError)
    return [{ field: "proof", reported: "a proof", shown: "no proof", evidence: error.message }];
  if (error instanceof LightError && error.failure.code === "checkpoint") {
    const { field, claimed, actual } = error.failure;
    return [{ field, reported: actual, shown: claimed, evidence: "the trusted checkpoint" }];
  }
  if (!(error instanceof LightClientError && error.failure.code === "noAnswer")) return [];
  const { what, reports } = error.failure;
  return reports.filter(({ state }) => state === "wrong").map(({ reason }) => wrongAnswer(what, reason));
}

/** An answer that a check of chapter 70 refused. @param reason the check that failed, with the place */
export function wrongAnswer(what: string, reason: string): Lie {
  return { field: what, reported: "evidence", shown: "the evidence is false", evidence: reason };
}

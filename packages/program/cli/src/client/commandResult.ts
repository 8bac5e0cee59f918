import type { DeployInfo, DeployNote } from "@vedette/api/grpc";
import { type ContractCallOutcome, systemNames } from "@vedette/client";
import { exitCodes } from "../exitCodes.js";

/**
 * State of a deploy. `finalized`: its effect is in the final state. `failed` and `expired`: no block can bring it there
 * later. `failedSoFar`: it failed in a final block, and another block may still take it.
 *
 * @spec 50 §1.14
 */
export type DeployState =
  | "accepted"
  | "pending"
  | "included"
  | "failedSoFar"
  | "finalized"
  | "failed"
  | "rejected"
  | "expired";

/**
 * A deploy's state and block. `pending` is also the answer for a deploy that the node never received; with a block, the
 * deploy comes again after a merge rejected it.
 */
export interface DeployResult {
  readonly deployId: string;
  readonly status: DeployState;
  readonly inBlock?: DeployInBlock | undefined;
}

/** How a deploy went in the block that holds it. */
export interface DeployInBlock {
  readonly blockHash: string;
  readonly blockNumber: bigint;
  readonly cost: bigint;
  readonly errored: boolean;
  readonly systemDeployError: string;
  /** Whether its term sends the answer of a contract to its deploy id, as that of a transfer does. */
  readonly isReported: boolean;
  /** The message of its term to its deploy id, read as the answer of a contract. */
  readonly outcome: ContractCallOutcome | undefined;
  /** All that it sent there, as Rholang. */
  readonly data: readonly string[];
  /** Its program and its transfers. */
  readonly source: Pick<DeployInfo, "term" | "transfers" | "transfersAvailable">;
  /** Why it failed, what it printed, and its public names; `undefined` where the node has no record of it. */
  readonly note: Pick<DeployNote, "faults" | "prints" | "isCut" | "names" | "areNamesKnown"> | undefined;
}

/** The result that a command reports of its deploy. It is `done` only if that was read in the final state. */
export type CommandResult = "done" | "refused" | "noEffect" | "notFinal";

/** Reports a failure before the block is final, since finality will hardly change it. */
export function commandResultOf({ status, inBlock }: DeployResult): CommandResult {
  if (status === "rejected" || status === "expired") return "noEffect";
  if (inBlock === undefined) return "notFinal";
  const { errored, systemDeployError, outcome } = inBlock;
  if (errored || systemDeployError !== "" || isUnanswered(inBlock)) return "noEffect";
  if (outcome?.status === "refused") return "refused";
  return status === "finalized" ? "done" : "notFinal";
}

/** A deploy that is not final yet is no failure, unless the command waited for that. */
export function exitCodeOf(result: CommandResult): number {
  return {
    done: exitCodes.success,
    notFinal: exitCodes.success,
    refused: exitCodes.refused,
    noEffect: exitCodes.noEffect,
  }[result];
}

/** Whether a transfer, a bond or an unbond got no answer from its contract: then it has moved nothing. */
export function isUnanswered({ isReported, outcome }: NonNullable<DeployResult["inBlock"]>): boolean {
  return isReported && outcome === undefined;
}

const contracts = Object.values(systemNames).flatMap(({ vaults, proofOfStake }) => [vaults, proofOfStake]);

/** Whether a program calls a contract and sends the answer to the deploy's id. @spec 41 §10.2 */
export function isReportedTerm(term: string): boolean {
  return term.includes("deployId!(result)") && contracts.some((name) => term.includes(`rl!(\`${name}\``));
}

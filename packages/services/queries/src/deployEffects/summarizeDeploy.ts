import type { DeployEffectOutcome, DeployFact } from "@vedette/api";
import { proofOfStakeAddress } from "@vedette/execution";
import type { TransferEntry } from "../accounts/accountEntries.js";
import type { ProgramFact } from "./ProgramFact.js";
import type { ProgramReader } from "./programRules.js";

/**
 * The transfers of a deploy, in its order; `ofVault`: only those of this vault; `unknown`: not looked up, or not
 * available now.
 */
export type KnownTransfers =
  | { readonly kind: "known"; readonly transfers: readonly MovedAmount[] }
  | { readonly kind: "ofVault"; readonly vault: string; readonly transfers: readonly MovedAmount[] }
  | { readonly kind: "unknown" };

/** A transfer as the node knows it. */
export type MovedAmount = Pick<TransferEntry, "from" | "to" | "amount" | "failReason">;

/** Why a deploy failed, as far as that is known. */
export interface SummarizedFailure {
  /** Where it is longer, it is cut short. */
  readonly reason: string | undefined;
  /** In the program, from 1. */
  readonly line: number | undefined;
}

/** A deploy that is to be summed up. */
export interface SummedUpDeploy {
  /** The program. */
  readonly term: string;
  /** `notRun`: no block that counts has run it; `lost`: nothing of it is in the state, though it did not fail. */
  readonly run: "notRun" | "ran" | "lost" | { readonly failed: SummarizedFailure };
  readonly transfers: KnownTransfers;
}

const maxReasonLength = 300;

/**
 * Returns the effects of a deploy: why it failed, its transfers, its requests. Never empty.
 *
 * Transfers come from the node's records; if these are unknown, the program's requests are reported as requests.
 *
 * @spec 50 §1.13
 */
export function summarizeDeploy({ term, run, transfers }: SummedUpDeploy, read: ProgramReader): DeployFact[] {
  const outcome: DeployEffectOutcome = run === "notRun" ? "asked" : run === "ran" ? "ran" : "undone";
  const vault = transfers.kind === "ofVault" ? transfers.vault : undefined;
  const moved = transfers.kind === "unknown" ? undefined : new MovedAmounts(transfers.transfers, vault);
  const asked = read(term).map((fact) => withOutcome(fact, outcome, moved));
  const facts = [...(moved?.rest() ?? []), ...asked];
  if (typeof run === "string") return facts;
  const { reason = null, line = null } = run.failed;
  return [{ type: "failed", reason: reason?.slice(0, maxReasonLength) ?? null, line }, ...facts];
}

function withOutcome(fact: ProgramFact, outcome: DeployEffectOutcome, moved: MovedAmounts | undefined): DeployFact {
  if (fact.type === "other") return fact;
  if (fact.type !== "transfer" && fact.type !== "bond") return { ...fact, outcome };
  const isTransfer = fact.type === "transfer";
  const wanted = isTransfer ? fact : { from: null, to: proofOfStakeAddress, amount: fact.amount };
  const found = moved?.take(wanted);
  // A deploy that ran has made no others than those that are known, as far as they are.
  const isDecided = outcome === "ran" && (found !== undefined || moved?.hasAllOf(wanted) === true);
  const seen = isDecided ? outcomeOf(found) : outcome;
  if (!isTransfer) return { ...fact, outcome: seen };
  const { from, to, amount } = found ?? fact;
  return { type: "transfer", from, to, amount, outcome: seen, reason: found?.failReason ?? null };
}

function outcomeOf(found: MovedAmount | undefined): DeployEffectOutcome {
  return found !== undefined && found.failReason === undefined ? "done" : "undone";
}

type WantedTransfer = Pick<Extract<ProgramFact, { type: "transfer" }>, "from" | "to" | "amount">;

/** Amounts that were moved and are not reported yet. */
class MovedAmounts {
  readonly #left: MovedAmount[];
  readonly #vault: string | undefined;

  /** @param vault the vault of all these transfers; left out: all are known */
  constructor(transfers: readonly MovedAmount[], vault: string | undefined) {
    this.#left = [...transfers];
    this.#vault = vault;
  }

  /** Whether such a transfer would be among those that are known. */
  hasAllOf({ from, to }: WantedTransfer): boolean {
    return this.#vault === undefined || from === this.#vault || to === this.#vault;
  }

  /** Takes the first that matches the program's request; computed values match anything. */
  take({ from, to, amount }: WantedTransfer) {
    const index = this.#left.findIndex((moved) => {
      const isOf = from === null || from === moved.from;
      return isOf && (to === null || to === moved.to) && (amount === null || amount === moved.amount);
    });
    return index < 0 ? undefined : this.#left.splice(index, 1)[0];
  }

  /** Returns the transfers that no part of the program requests: contracts made them. */
  rest(): DeployFact[] {
    return this.#left.map(({ from, to, amount, failReason }) => {
      const outcome = failReason === undefined ? "done" : "undone";
      return { type: "transfer", from, to, amount, outcome, reason: failReason ?? null };
    });
  }
}

import { errorClass } from "@vedette/errors";
import type { WorkMeter } from "../match/WorkMeter.js";

/** The limits of an evaluation besides phlo. @spec 50 §1.9 */
export interface Budget {
  /** Steps in all; a step is one term, one dispatch or one repetition. */
  readonly maxSteps?: number;
  /** Steps that may wait at once: what bounds the memory of unfinished branches. */
  readonly maxPending?: number;
  /** Tokens of the program's text; left out: as many as a program may have at most. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds on the clock of `nowMs`. */
  readonly deadlineMs?: number;
  readonly nowMs?: () => number;
  /** Called now and then: whether to give up. */
  readonly isCancelled?: () => boolean;
  /** Called now and then, above all before large terms are made: whether memory is running out. */
  readonly isOutOfMemory?: () => boolean;
}

/** Why an evaluation was given up. */
export type StopReason = "steps" | "pending" | "deadline" | "cancelled" | "memory";

/** An evaluation went over its {@link Budget}. This has no meaning for the program on a chain. */
export class StoppedError extends errorClass("StoppedError", sentence) {}

/** The budget is checked once in this many steps. */
export const stepsBetweenChecks = 256;

/** Looks whether an evaluation may go on. @throws {StoppedError} when the budget is used up */
export function checkBudget(budget: Budget, steps: number, pending: number): void {
  if (budget.maxSteps !== undefined && steps > budget.maxSteps) throw new StoppedError({ code: "steps" });
  if (budget.maxPending !== undefined && pending > budget.maxPending) throw new StoppedError({ code: "pending" });
  if (budget.deadlineMs !== undefined && budget.nowMs !== undefined && budget.nowMs() > budget.deadlineMs)
    throw new StoppedError({ code: "deadline" });
  if (budget.isCancelled?.() === true) throw new StoppedError({ code: "cancelled" });
  if (budget.isOutOfMemory?.() === true) throw new StoppedError({ code: "memory" });
}

function sentence({ code }: { readonly code: StopReason }): string {
  switch (code) {
    case "steps":
      return "The evaluation was stopped: it took more steps than it may.";
    case "pending":
      return "The evaluation was stopped: too many of its branches wait at once.";
    case "deadline":
      return "The evaluation was stopped: its time is up.";
    case "cancelled":
      return "The evaluation was cancelled.";
    case "memory":
      return "The evaluation was stopped: it takes too much memory.";
  }
}

/** Units of matching work between two looks at the clock. */
const unitsBetweenChecks = 65536;

/**
 * Counts the work of matching, which costs no phlo and may take exponential time, against a budget's time.
 *
 * @returns a meter for `matchPar` and for the `matchDatum` of the space
 */
export function budgetMeter(budget: Budget): WorkMeter {
  let left = unitsBetweenChecks;
  return {
    tick(units) {
      left -= units;
      if (left > 0) return;
      left = unitsBetweenChecks;
      checkBudget(budget, 0, 0);
    },
  };
}

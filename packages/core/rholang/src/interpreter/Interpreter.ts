import type { Random, RandomForm } from "@vedette/crypto";
import type { BindPattern, ListParWithRandom, Par, TermCodec } from "@vedette/terms";
import type { GuardHolds, Space, SpaceDialect } from "@vedette/tuplespace";
import type { EvaluateResult, Evaluation } from "../evaluate/evaluate.js";
import type { Grammar } from "../grammar/Grammar.js";
import type { WorkMeter } from "../match/WorkMeter.js";

/**
 * How a dialect runs programs, with the forms of what they work on.
 *
 * @spec 20, 21, 22, 61 §4–§8
 */
export interface Interpreter<Generator extends Random<Generator>> {
  readonly grammar: Grammar;
  readonly terms: TermCodec;
  readonly space: SpaceDialect;
  readonly random: RandomForm<Generator>;
  /** Never throws. */
  evaluate(evaluation: Evaluation<Generator>): EvaluateResult;
  /** Matches a process against a pattern. @returns the capture of each variable @spec 22 §1, 61 §6.6 */
  matchPar(target: Par, pattern: Par, meter?: WorkMeter): ReadonlyMap<number, Par> | undefined;
  /** Matches one datum against one bind. @spec 22 §2.1 */
  matchDatum(pattern: BindPattern, data: ListParWithRandom, meter?: WorkMeter): ListParWithRandom | undefined;
  /** Evaluates the guards of receives for a tuple space; absent if no receive can have one. */
  readonly guardHolds: GuardHolds | undefined;
  /** Attaches the built-in processes to their fixed channels. @spec 21 §8.2 */
  install(space: Pick<Space, "install">): void;
  /** Makes the empty state of the empty root. @param space with the built-in processes installed @spec 21 §8.3 */
  bootstrap(space: Space): void;
}

import type { Deploy } from "@vedette/protocol";
import type { EvaluateResult, Evaluation, Interpreter } from "@vedette/rholang";
import type { Par, TermCodec } from "@vedette/terms";
import type { Datum } from "@vedette/tuplespace";

/** An evaluation that lacks the generator of its names. */
export type SeededEvaluation = Omit<Evaluation, "random">;

/** A program's generator, before the program runs. */
export interface ProgramStart {
  /** The return channel of a system deploy. @spec 41 §3.1, 61 §9 */
  takeReturnName(): Uint8Array;
  evaluate(evaluation: SeededEvaluation): EvaluateResult;
}

/**
 * How a dialect executes the deploys of a block.
 *
 * @spec 41 §1–§4, 61 §9, §10
 */
export interface ExecutionDialect
  extends Pick<Interpreter<never>, "grammar" | "matchDatum" | "guardHolds" | "install" | "bootstrap"> {
  readonly terms: TermCodec;
  /** @param split number of the part, where the generator is split once */
  start(seed: Uint8Array, split?: number): ProgramStart;
  /** Returns the values that a user's program gets by the URNs of its deploy. @spec 41 §2.4, 61 §5 */
  deployEnvironment(deploy: Pick<Deploy, "signature" | "deployer">): ReadonlyMap<string, Par>;
  /** The values that a `new` carries, in the dialect's order. @spec 20 §8.2, 61 §5 */
  injectionsOf(environment: ReadonlyMap<string, Par>): ReadonlyMap<string, Par>;
  /** URN of the proof-of-stake contract. @spec 41 §3.3, 61 §10 */
  readonly proofOfStakeUrn: string;
  /** URN of the vaults' contract. @spec 41 §6.8, §11 */
  readonly vaultsUrn: string;
  /** Phlo of an exploratory deploy that does not state a limit. @spec 41 §7.1, 50 §10 */
  readonly explorePhloLimit: bigint;
  /** Phlo of the queries that a node itself makes to contracts. @spec 41 §7.3, 61 §10 */
  readonly queryPhloLimit: bigint;
  /** Phlo limit of every system deploy; no account is charged. @spec 41 §3.1, 61 §7 */
  readonly systemPhloLimit: bigint;
  /** Makes the seed of a slash's generator, before it is split. @param blockSeed the seed of the block itself */
  slashSeed(blockSeed: Uint8Array, invalidBlockHash: Uint8Array): Uint8Array;
  /**
   * Runs the play of a deploy that is to be in a block of one's own.
   *
   * @throws {ExecutionError} `undetermined` where the dialect's reference would not find the same another time
   * @spec 61 §20.3
   */
  playDetermined<T>(play: () => T): T;
  /**
   * Returns the number of a datum on a number channel; `undefined` if it is ignored. @throws {ExecutionError}
   * `numberChannel`
   */
  numberIn(datum: Datum): bigint | undefined;
}

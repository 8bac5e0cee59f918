import { type Budget, budgetMeter, type InterpreterError, type OutputSink } from "@vedette/rholang";
import { GPrivate, Par } from "@vedette/terms";
import type { MatchDatum, StateRead, StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { Runtime } from "../runtime/Runtime.js";
import { deployRandom } from "../systemDeploy/seeds.js";
import type { DeployTracer } from "../trace/DeployTracer.js";
import { TracedExploreSpace } from "../trace/TracedSpace.js";
import { tracingOf } from "../trace/tracingOf.js";

/** A program to run on a state without leaving a trace. @spec 41 §7.1 */
export interface ExploratoryDeploy {
  /** State root: 32 bytes. */
  readonly root: Uint8Array;
  readonly source: string;
  /** Replaces the random key and signature that rnode makes for every call. */
  readonly deployer: Uint8Array;
  readonly signature: Uint8Array;
  /** Milliseconds. */
  readonly timestamp: bigint;
  /** Left out: as much as the form gives an exploratory deploy. */
  readonly phloLimit?: bigint | undefined;
  /** That of the states; left out: that of rnode. */
  readonly form: ExecutionDialect;
  readonly budget?: Budget | undefined;
  readonly output?: OutputSink;
  /** Collects every read of the state: another state that answers them alike gives the program the same result. */
  readonly reads?: StateRead[];
  /** Receives the steps of the program; it must be a new one. */
  readonly tracer?: DeployTracer | undefined;
}

/** The processes found on the return channel, or the first error. */
export type ExploreResult =
  | { readonly kind: "values"; readonly pars: readonly Par[]; readonly cost: bigint }
  | { readonly kind: "failed"; readonly error: InterpreterError; readonly cost: bigint };

/**
 * Evaluates a program on a state and reads what it sent to the first plain name of its outermost `new`.
 *
 * @throws {ExecutionError} `stopped` when the budget is used up, `fatal`
 * @throws {SpaceError} `unknownRoot`
 * @spec 41 §7.1
 */
export function exploreDeploy(store: StateStore, exploration: ExploratoryDeploy): ExploreResult {
  const { deployer, signature, timestamp } = exploration;
  const { budget, reads, tracer, form } = exploration;
  // Matching is free of phlo and may take exponential time, so it must mind the budget by itself.
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const match: MatchDatum = (pattern, data) => form.matchDatum(pattern, data, meter);
  const space = new TracedExploreSpace(store, match, exploration.root, reads, form.guardHolds);
  const runtime = new Runtime(space, {
    replay: false,
    form,
    budget,
    output: exploration.output,
  });
  if (tracer !== undefined) runtime.deployTracing = tracingOf(tracer, space);
  const { cost, errors } = runtime.evaluateDeploy({
    term: exploration.source,
    deployer,
    signature,
    timestamp,
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: exploration.phloLimit ?? form.explorePhloLimit,
    validAfterBlockNumber: 0n,
    shardId: "",
  });
  if (errors.length > 0) return { kind: "failed", error: errors[0]!, cost };
  const returnChannel = Par.of({ unforgeables: [new GPrivate(deployRandom(deployer, timestamp).next())] });
  const pars = space.data(returnChannel).flatMap((datum) => datum.a.pars);
  return { kind: "values", pars, cost };
}

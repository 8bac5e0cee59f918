import { blake2b256, fromHex, type Random, toHex } from "@vedette/crypto";
import { GDeployerId, GDeployId, nil, Par } from "@vedette/terms";
import {
  decodeEventLog,
  emptyRoot,
  type LoggedEvent,
  memoryStateStore,
  PlaySpace,
  ReplaySpace,
  type Space,
  type StateStore,
} from "@vedette/tuplespace";
import type { EvaluateResult } from "../evaluate/evaluate.js";
import type { InterpreterError } from "../InterpreterError.js";
import type { Interpreter } from "../interpreter/Interpreter.js";
import { DescribingSpace } from "./DescribingSpace.js";
import { named } from "./errorDifferences.js";
import { eventDifferences } from "./eventDifferences.js";
import type { VectorDialect } from "./VectorDialect.js";
import { type ExpectedError, shorten, type VectorVerdict, verdictOf } from "./VectorVerdict.js";

/** One line of an `eval*.jsonl` file. */
export interface EvalVector {
  readonly id: string;
  readonly term: string;
  readonly limit: number;
  /** Left out where rnode gave no result. */
  readonly seed?: string;
  readonly before?: string;
  /** The outcome depends on rnode's scheduling; only the replay of the log is determined. */
  readonly replayOnly?: boolean;
  readonly expect: EvalExpectation;
}

/** The result of rnode's evaluation. */
export interface EvalExpectation {
  /** rnode threw an exception that is no interpreter error. */
  readonly fatal?: boolean;
  /** A text where it is beyond 2^53. */
  readonly cost?: number | string;
  readonly errors?: readonly ExpectedError[];
  readonly root?: string;
  readonly mergeable?: readonly string[];
  readonly log?: readonly string[];
  /** The nodes of the final state's tree, each with its hash, in hex. */
  readonly nodes?: readonly (readonly [hash: string, bytes: string])[];
  /** The leaves of the final state, with their history keys. */
  readonly leaves?: readonly (readonly [key: string, hash: string, bytes: string])[];
}

/** A state that vectors begin with. */
interface EmptyState {
  readonly states: StateStore;
  readonly root: Uint8Array;
}

/** One for each interpreter; made once, since states are never changed. */
const emptyStates = new WeakMap<object, EmptyState>();

/** The state with the bootstrap of the registry and nothing else. */
function emptyState<Generator extends Random<Generator>>(interpreter: Interpreter<Generator>): EmptyState {
  const known = emptyStates.get(interpreter);
  if (known !== undefined) return known;
  const states = memoryStateStore(interpreter.space);
  const space = new PlaySpace(states, interpreter.matchDatum, emptyRoot);
  interpreter.bootstrap(space);
  const made = { states, root: space.checkpoint().root };
  emptyStates.set(interpreter, made);
  return made;
}

/**
 * Evaluates vectors' terms in play and, where a vector has rnode's log, in a replay of it.
 *
 * @spec 21 §1.3, 22 §4.9, 30 §3.4, 61 §6
 */
export class EvalChecks<Generator extends Random<Generator>> {
  // Made once for each dialect, as what is remembered with a term is.
  private readonly deployIdName = Par.of({ unforgeables: [new GDeployId(deployId)] });
  private readonly deployerName = Par.of({ unforgeables: [new GDeployerId(deployer)] });

  constructor(private readonly dialect: VectorDialect<Generator>) {}

  check(vector: EvalVector): VectorVerdict {
    const { expect } = vector;
    const differences: string[] = [];
    if (vector.replayOnly !== true) differences.push(...this.playDifferences(vector).map((line) => `play: ${line}`));
    if (expect.log !== undefined) {
      const log = decodeEventLog(expect.log.map((event) => fromHex(event)));
      differences.push(...this.replayDifferences(vector, log).map((line) => `replay: ${line}`));
    }
    return verdictOf(differences);
  }

  /** A space that plays on the empty state. */
  playingSpace(): PlaySpace {
    const { interpreter } = this.dialect;
    const { states, root } = emptyState(interpreter);
    const space = new PlaySpace(states, interpreter.matchDatum, root, undefined, interpreter.guardHolds);
    interpreter.install(space);
    return space;
  }

  /** The states of {@link playingSpace}. */
  get states(): StateStore {
    return emptyState(this.dialect.interpreter).states;
  }

  /** Evaluates a vector's program with the facts that all vectors have. @param traceCharge gets every charge */
  evaluate(vector: EvalVector, space: Space, replay: boolean, traceCharge: (amount: number) => void): EvaluateResult {
    const { interpreter, environmentOf } = this.dialect;
    const seed = vector.seed === undefined ? blake2b256(new TextEncoder().encode(vector.id)) : fromHex(vector.seed);
    return interpreter.evaluate({
      program: { source: vector.term, environment: environmentOf(this.deployIdName, this.deployerName) },
      space,
      phloLimit: BigInt(vector.limit),
      random: interpreter.random.fromSeed(seed),
      mergeableTag: nil,
      replay,
      blockData: { timestamp: 1600000000000n, blockNumber: 7n, sender: deployer, sequenceNumber: 3 },
      deployData: { timestamp: 1600000000001n, deployer, deployId },
      trace: { charged: traceCharge },
    });
  }

  private playDifferences(vector: EvalVector): string[] {
    const { root } = emptyState(this.dialect.interpreter);
    const { expect } = vector;
    if (expect.root !== undefined && vector.before !== undefined && vector.before !== toHex(root))
      return [`the vector begins at ${vector.before}, not at the empty state ${toHex(root)}`];
    const space = this.playingSpace();
    const described = new DescribingSpace(space);
    const charges: number[] = [];
    const result = this.evaluate(vector, described, false, (amount) => charges.push(amount));
    const differences = this.resultDifferences(expect, result, charges);
    if (result.kind !== "evaluated" || result.errors.length > 0) return differences;
    const checkpoint = space.checkpoint();
    if (expect.root !== undefined && toHex(checkpoint.root) !== expect.root)
      differences.push(`root: expected ${expect.root}, ours ${toHex(checkpoint.root)}`);
    differences.push(...this.stateDifferences(expect));
    if (differences.length > 0 && expect.log !== undefined) {
      const log = decodeEventLog(expect.log.map((event) => fromHex(event)));
      const { isLogNewestFirst } = this.dialect.interpreter.space.rules;
      const [wanted, ours] = [log, checkpoint.log].map((one) => (isLogNewestFirst ? one.toReversed() : one));
      differences.push(...eventDifferences(wanted!, ours!, described.steps));
    }
    return differences;
  }

  /** Nodes and leaves that are not in the store as they were recorded. */
  private stateDifferences({ nodes = [], leaves = [] }: EvalExpectation): string[] {
    const { states } = emptyState(this.dialect.interpreter);
    const differences: string[] = [];
    for (const [hash, bytes] of nodes) {
      const ours = states.nodeBytes(fromHex(hash));
      if (ours === undefined || toHex(ours) !== bytes) differences.push(`node ${hash} is not as recorded`);
    }
    for (const [key, hash, bytes] of leaves) {
      const ours = states.leafBytes(fromHex(hash));
      if (ours === undefined || toHex(ours) !== bytes) differences.push(`leaf ${hash} at ${key} is not as recorded`);
    }
    return differences;
  }

  private replayDifferences(vector: EvalVector, log: readonly LoggedEvent[]): string[] {
    const { interpreter } = this.dialect;
    const { states, root } = emptyState(interpreter);
    const { expect } = vector;
    const space = new ReplaySpace(states, interpreter.matchDatum, root, interpreter.guardHolds);
    interpreter.install(space);
    space.rig(log);
    const charges: number[] = [];
    const described = new DescribingSpace(space);
    const result = this.evaluate(vector, described, true, (amount) => charges.push(amount));
    const differences = this.resultDifferences(replayed(expect), result, charges);
    if (result.kind !== "evaluated" || result.errors.length > 0) return differences;
    const leftover = space.checkReplayData();
    if (leftover !== undefined) return [...differences, `left over: ${leftover.keys} COMM keys`, ...described.steps];
    const ours = toHex(space.checkpoint().root);
    if (expect.root !== undefined && ours !== expect.root)
      differences.push(`root: expected ${expect.root}, ours ${ours}`);
    return differences;
  }

  private resultDifferences(expect: EvalExpectation, result: EvaluateResult, charges: readonly number[]): string[] {
    if (result.kind === "broken") return [`broken: ${result.cause.stack ?? result.cause.message}`];
    if (result.kind === "stopped") return [`stopped: ${result.reason}`];
    if (result.kind === "fatal") return expect.fatal === true ? [] : [`fatal: ${result.cause.stack ?? ""}`];
    if (expect.fatal === true) return this.dialect.fatalDifferences(result);
    const differences: string[] = [];
    if (expect.cost !== undefined && result.cost !== BigInt(expect.cost)) {
      differences.push(
        `cost: expected ${expect.cost}, ours ${result.cost} (${result.cost - BigInt(expect.cost)} more)`,
      );
      differences.push(`charges: ${shorten(charges.join(" "), 2000)}`);
    }
    differences.push(...allErrorDifferences(expect.errors ?? [], result.errors, this.dialect.errorDifferences));
    const mergeable = this.dialect.mergeableOf(result).sort();
    const expectedMergeable = [...(expect.mergeable ?? [])].sort();
    if (mergeable.join() !== expectedMergeable.join())
      differences.push(`mergeable: expected ${expectedMergeable.join("; ")}, ours ${mergeable.join("; ")}`);
    return differences;
  }
}

const deployer = fromHex(`04${"11".repeat(64)}`);
const deployId = fromHex("22".repeat(70));

/**
 * Returns the result of replaying a recorded play: a call that failed in play is not made again. @spec 21 §7.4, 61 §8
 */
function replayed(expect: EvalExpectation): EvalExpectation {
  const errors = expect.errors?.map((error) =>
    error.class === "NonDeterministicProcessFailure" ? { class: "CanNotReplayFailedNonDeterministicProcess" } : error,
  );
  return errors === undefined ? expect : { ...expect, errors };
}

/** Compares without regard to the order, which rnode does not fix. */
function allErrorDifferences(
  expected: readonly ExpectedError[],
  actual: readonly InterpreterError[],
  differencesOf: VectorDialect<never>["errorDifferences"],
): string[] {
  const left = [...actual];
  const missing = expected.filter((wanted) => {
    const index = left.findIndex((error) => differencesOf(wanted, error).length === 0);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  if (missing.length === 0 && left.length === 0) return [];
  const wanted = missing.map((error) => `${error.class}: ${error.message ?? "(any text)"}`).join("; ");
  return [`errors: expected ${wanted}; ours ${listed(left)}`];
}

/** Errors with their classes and texts. */
export function listed(errors: readonly InterpreterError[]): string {
  return errors.length === 0 ? "no errors" : errors.map(named).join("; ");
}

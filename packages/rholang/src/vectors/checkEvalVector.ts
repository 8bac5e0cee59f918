import { blake2b256, fromHex, SplittableRandom, toHex } from "@vedette/crypto";
import { decodePar, encodePar, GDeployerId, GDeployId, nil, Par, printPar } from "@vedette/terms";
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
import { type EvaluateResult, evaluate } from "../evaluate/evaluate.js";
import type { InterpreterError } from "../InterpreterError.js";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { bootstrapRegistry } from "../system/registryBootstrap.js";
import { errorDifferences, named } from "./checkParseVector.js";
import { DescribingSpace } from "./DescribingSpace.js";
import { eventDifferences } from "./eventDifferences.js";
import { type ExpectedError, shorten, type VectorVerdict, verdictOf } from "./VectorVerdict.js";

/** One line of an `eval*.jsonl` file. */
export interface EvalVector {
  readonly id: string;
  readonly term: string;
  readonly limit: number;
  /** Left out where the reference gave no result. */
  readonly seed?: string;
  readonly before?: string;
  /** The outcome depends on the reference's scheduling; only the replay of the log is determined. */
  readonly replayOnly?: boolean;
  readonly expect: EvalExpectation;
}

/** What the reference's evaluation led to. */
export interface EvalExpectation {
  /** The reference threw an exception that is no interpreter error. */
  readonly fatal?: boolean;
  readonly cost?: number;
  readonly errors?: readonly ExpectedError[];
  readonly root?: string;
  readonly mergeable?: readonly string[];
  readonly log?: readonly string[];
}

/**
 * Evaluates a vector's term in play and, where the vector has the reference's log, in a replay of it.
 *
 * @spec 21 §1.3, 22 §4.9, 30 §3.4
 */
export function checkEvalVector(vector: EvalVector): VectorVerdict {
  const { expect } = vector;
  const differences: string[] = [];
  if (vector.replayOnly !== true) differences.push(...playDifferences(vector).map((line) => `play: ${line}`));
  if (expect.log !== undefined) {
    const log = decodeEventLog(expect.log.map((event) => fromHex(event)));
    differences.push(...replayDifferences(vector, log).map((line) => `replay: ${line}`));
  }
  return verdictOf(differences);
}

const deployer = fromHex(`04${"11".repeat(64)}`);
const deployId = fromHex("22".repeat(70));

const environment: ReadonlyMap<string, Par> = new Map([
  ["rho:rchain:deployId", Par.of({ unforgeables: [new GDeployId(deployId)] })],
  ["rho:rchain:deployerId", Par.of({ unforgeables: [new GDeployerId(deployer)] })],
]);

/** The state that every vector begins with; made once, since states are never changed. */
let madeState: { readonly states: StateStore; readonly root: Uint8Array } | undefined;

/** The state with the bootstrap of the registry and nothing else. */
export function emptyState(): NonNullable<typeof madeState> {
  if (madeState !== undefined) return madeState;
  const states = memoryStateStore();
  const space = new PlaySpace(states, matchDatum, emptyRoot);
  bootstrapRegistry(space);
  madeState = { states, root: space.checkpoint().root };
  return madeState;
}

/** A space that plays on {@link emptyState}. */
export function playingSpace(): PlaySpace {
  const { states, root } = emptyState();
  const space = new PlaySpace(states, matchDatum, root);
  installSystemProcesses(space);
  return space;
}

/** Evaluates a vector's program with the facts that all vectors have. @param traceCharge gets every charge */
export function evaluateVector(
  vector: EvalVector,
  space: Space,
  replay: boolean,
  traceCharge: (amount: number) => void,
): EvaluateResult {
  const seed = vector.seed === undefined ? blake2b256(new TextEncoder().encode(vector.id)) : fromHex(vector.seed);
  return evaluate({
    program: { source: vector.term, environment },
    space,
    phloLimit: BigInt(vector.limit),
    random: SplittableRandom.fromSeed(seed),
    mergeableTag: nil,
    replay,
    blockData: { timestamp: 1600000000000n, blockNumber: 7n, sender: deployer, sequenceNumber: 3 },
    deployData: { timestamp: 1600000000001n, deployer, deployId },
    trace: { charged: traceCharge },
  });
}

function playDifferences(vector: EvalVector): string[] {
  const { root } = emptyState();
  const { expect } = vector;
  if (expect.root !== undefined && vector.before !== undefined && vector.before !== toHex(root))
    return [`the vector begins at ${vector.before}, not at the empty state`];
  const space = playingSpace();
  const described = new DescribingSpace(space);
  const charges: number[] = [];
  const result = evaluateVector(vector, described, false, (amount) => charges.push(amount));
  const differences = resultDifferences(expect, result, charges);
  if (result.kind !== "evaluated" || result.errors.length > 0) return differences;
  const checkpoint = space.checkpoint();
  if (expect.root !== undefined && toHex(checkpoint.root) !== expect.root)
    differences.push(`root: expected ${expect.root}, ours ${toHex(checkpoint.root)}`);
  if (differences.length > 0 && expect.log !== undefined) {
    const log = decodeEventLog(expect.log.map((event) => fromHex(event)));
    differences.push(...eventDifferences(log, checkpoint.log, described.steps));
  }
  return differences;
}

function replayDifferences(vector: EvalVector, log: readonly LoggedEvent[]): string[] {
  const { states, root } = emptyState();
  const { expect } = vector;
  const space = new ReplaySpace(states, matchDatum, root);
  installSystemProcesses(space);
  space.rig(log);
  const charges: number[] = [];
  const described = new DescribingSpace(space);
  const result = evaluateVector(vector, described, true, (amount) => charges.push(amount));
  const differences = resultDifferences(expect, result, charges);
  if (result.kind !== "evaluated" || result.errors.length > 0) return differences;
  const leftover = space.checkReplayData();
  if (leftover !== undefined) return [...differences, `left over: ${leftover.keys} COMM keys`, ...described.steps];
  const ours = toHex(space.checkpoint().root);
  if (expect.root !== undefined && ours !== expect.root)
    differences.push(`root: expected ${expect.root}, ours ${ours}`);
  return differences;
}

function resultDifferences(expect: EvalExpectation, result: EvaluateResult, charges: readonly number[]): string[] {
  if (result.kind === "broken") return [`broken: ${result.cause.stack ?? result.cause.message}`];
  if (result.kind === "stopped") return [`stopped: ${result.reason}`];
  if (result.kind === "fatal") return expect.fatal === true ? [] : [`fatal: ${result.cause.stack ?? ""}`];
  if (expect.fatal === true) return [`expected a fatal exception; ours cost ${result.cost}, ${listed(result.errors)}`];
  const differences: string[] = [];
  if (expect.cost !== undefined && result.cost !== BigInt(expect.cost)) {
    differences.push(`cost: expected ${expect.cost}, ours ${result.cost} (${result.cost - BigInt(expect.cost)} more)`);
    differences.push(`charges: ${shorten(charges.join(" "), 2000)}`);
  }
  differences.push(...allErrorDifferences(expect.errors ?? [], result.errors));
  const mergeable = result.mergeable.map((channel) => toHex(encodePar(channel))).sort();
  const expectedMergeable = [...(expect.mergeable ?? [])].sort();
  if (mergeable.join() !== expectedMergeable.join())
    differences.push(`mergeable: expected ${printed(expectedMergeable)}, ours ${printed(mergeable)}`);
  return differences;
}

/** Compares without regard to the order, which the reference does not fix. */
function allErrorDifferences(expected: readonly ExpectedError[], actual: readonly InterpreterError[]): string[] {
  const left = [...actual];
  const missing = expected.filter((wanted) => {
    const index = left.findIndex((error) => errorDifferences(wanted, error).length === 0);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  if (missing.length === 0 && left.length === 0) return [];
  const wanted = missing.map((error) => `${error.class}: ${error.message ?? "(any text)"}`).join("; ");
  return [`errors: expected ${wanted}; ours ${listed(left)}`];
}

function listed(errors: readonly InterpreterError[]): string {
  return errors.length === 0 ? "no errors" : errors.map(named).join("; ");
}

function printed(terms: readonly string[]): string {
  return terms.map((bytes) => printPar(decodePar(fromHex(bytes)))).join("; ");
}

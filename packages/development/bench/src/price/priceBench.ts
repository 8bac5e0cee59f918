import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Random } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { mergeableTag } from "@vedette/execution";
import {
  type EvaluateResult,
  f1r3nodeInterpreter,
  type Interpreter,
  InterpreterError,
  rnodeInterpreter,
} from "@vedette/rholang";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace } from "@vedette/tuplespace";
import type { Measurements } from "../Measurements.js";
import { deployState, type StartState } from "./deployState.js";
import { benchDictionary, dictionaryName } from "./dictionaryBench.js";
import { priceFamilies } from "./families.js";
import type { Dialect, PriceFamily } from "./PriceFamily.js";
import { type SampledRatio, sampledRatio } from "./sampledRatio.js";

/** The options of the measurement of a family. */
export interface PriceOptions {
  /** Families with names that match; all of them by default. */
  readonly only: RegExp | undefined;
  /** Both by default. */
  readonly dialect: Dialect | undefined;
  /** A family is run at growing sizes until a run takes this long. */
  readonly longestMs: number;
}

/** One program, played and replayed. */
interface Run {
  readonly phlo: number;
  readonly playMs: number;
  readonly replayMs: number;
}

/** The best of several runs of one program. */
interface Price extends Run {
  readonly n: number;
  /** The processor time of a replay, in that of the play before it. */
  readonly replay: SampledRatio;
}

/** A family at growing sizes. */
interface Prices {
  readonly prices: readonly Price[];
  /** The memory that the space uses at the end of the last play. */
  readonly heldBytes: number;
}

/** The last price of a family, and what follows from it. */
interface PriceRow extends Price {
  /** Seconds of processor time for a million phlo. */
  readonly seconds: number;
  /** The exponent by which time grows with phlo. */
  readonly growth: number;
  /** Held for a phlo. */
  readonly bytes: number;
}

/** Where and on what programs run. */
interface Ground<Generator extends Random<Generator>> {
  readonly interpreter: Interpreter<Generator>;
  readonly start: StartState;
}

setFlagsFromString("--expose-gc");
/**
 * With the garbage goes the optimized code: not between runs that are timed, which would be a measurement of the
 * compiler.
 */
const throwGarbageAway = runInNewContext("gc") as () => void;

const phloLimit = 1_000_000_000n;
const maxSteps = 12;
/** The number of runs of each size; the best counts. */
const runsOfSize = 3;
/** As long as it is not clear whether a replay takes longer than its play, a program is run again: so often at most. */
const maxRuns = 15;
/** A run that takes less than this part of the longest is far from it. */
const shortPart = 16;
/** The number of listed families with most memory for a phlo. */
const listedByMemory = 5;
/** The shown characters of a program that does not run. */
const shownCharacters = 200;

/**
 * Measures the processor time of a unit of phlo, by families of programs: in seconds for a million, how fast that grows
 * with the size, and how long a replay takes beside the play. Families that are dear beside the others are listed. Then a
 * call of a dictionary with few keys and with many.
 */
export function benchPrice(measurements: Measurements, options: PriceOptions): void {
  if (options.dialect !== "f1r3node") benchDialect(measurements, "rnode", rnodeInterpreter, options);
  if (options.dialect !== "rnode") benchDialect(measurements, "f1r3node", f1r3nodeInterpreter, options);
}

function benchDialect<Generator extends Random<Generator>>(
  measurements: Measurements,
  dialect: Dialect,
  interpreter: Interpreter<Generator>,
  { only, longestMs }: PriceOptions,
): void {
  const rows = new Map<string, PriceRow>();
  const starts = startsOf(dialect, interpreter);
  for (const [name, family] of Object.entries(priceFamilies)) {
    if (only?.test(name) === false || (family.dialect ?? dialect) !== dialect) continue;
    const row = priced(measurements, `${dialect}: ${name}`, () =>
      rowOf(pricesOf({ interpreter, start: starts(family) }, family, longestMs)),
    );
    if (row === undefined) continue;
    rows.set(name, row);
    measurements.add(`${dialect}: ${name} (${describe(row)})`, row.seconds, "s per million phlo");
  }
  if (only?.test(dictionaryName) !== false) benchDictionary(measurements, dialect, interpreter);
  const sorted = [...rows.values()].map(({ seconds }) => seconds).sort((left, right) => left - right);
  const median = sorted[sorted.length >> 1] ?? 0;
  measurements.add(`${dialect}: median of ${sorted.length} families`, median, "s per million phlo");
  const byMemory = [...rows].sort(([, left], [, right]) => right.bytes - left.bytes).slice(0, listedByMemory);
  for (const [name, { bytes }] of byMemory)
    measurements.add(`${dialect}: ${name}, memory held`, bytes, "bytes per phlo");
  for (const [name, row] of rows)
    for (const complaint of complaintsOf(row, median)) measurements.note(`${dialect}: ${name} ${complaint}`);
}

/** Skips a family that does not run. */
function priced(measurements: Measurements, name: string, price: () => PriceRow): PriceRow | undefined {
  try {
    return price();
  } catch (error) {
    measurements.skip(name, errorText(error));
    return undefined;
  }
}

function rowOf({ prices, heldBytes }: Prices): PriceRow {
  const last = prices.at(-1)!;
  const earlier = prices.findLast(({ n }) => n <= last.n / 4) ?? prices[0]!;
  const growth = last === earlier ? 1 : Math.log(last.playMs / earlier.playMs) / Math.log(last.phlo / earlier.phlo);
  const seconds = last.playMs / 1000 / (last.phlo / 1e6);
  return { ...last, seconds, growth, bytes: heldBytes / last.phlo };
}

function describe({ n, phlo, playMs, replayMs, growth, replay, bytes }: PriceRow): string {
  const ratio = `${replay.median.toFixed(2)} of play (± ${replay.error.toFixed(2)}, ${replay.count} runs)`;
  const times = `play ${playMs.toFixed(0)} ms, replay ${replayMs.toFixed(0)} ms = ${ratio}`;
  return `n ${n}, ${Math.round(phlo)} phlo, ${times}, exponent ${growth.toFixed(2)}, ${bytes.toFixed(1)} bytes per phlo`;
}

function complaintsOf({ seconds, growth, replay }: PriceRow, median: number): string[] {
  const complaints: string[] = [];
  if (seconds > 3 * median) complaints.push(`costs ${(seconds / median).toFixed(1)} times the median`);
  if (growth > 1.1) complaints.push(`grows faster than its phlo (exponent ${growth.toFixed(2)})`);
  if (replay.median - replay.error > 1)
    complaints.push(`takes ${replay.median.toFixed(2)} times as long to replay as to play`);
  return complaints;
}

/** Returns the start states of a family; the state of deploys is made for the first family that needs it. */
function startsOf<Generator extends Random<Generator>>(
  dialect: Dialect,
  interpreter: Interpreter<Generator>,
): (family: PriceFamily) => StartState {
  let ofDeploys: StartState | undefined;
  const empty = (): StartState => {
    const states = memoryStateStore(interpreter.space);
    const opened = new PlaySpace(states, interpreter.matchDatum, emptyRoot);
    interpreter.bootstrap(opened);
    const { root } = opened.checkpoint();
    return { states, root, environment: new Map(), programText: (source) => source };
  };
  return ({ isDeploy }) => (isDeploy ? (ofDeploys ??= deployState(dialect)) : empty());
}

/** A family at growing sizes, up to the first that a rule of the dialect refuses. */
function pricesOf<Generator extends Random<Generator>>(
  ground: Ground<Generator>,
  { source, from, most = Number.POSITIVE_INFINITY }: PriceFamily,
  longestMs: number,
): Prices {
  const prices: Price[] = [];
  let program = "";
  for (let n = from; n <= most && prices.length < maxSteps; ) {
    const larger = ground.start.programText(source(n));
    const runs = runsOf(ground, larger, prices.length > 0);
    if (runs === undefined) break;
    program = larger;
    const price = priceOf(n, runs);
    prices.push(price);
    const tookMs = Math.max(price.playMs, price.replayMs);
    if (tookMs > longestMs) break;
    n *= tookMs < longestMs / shortPart ? 4 : 2;
  }
  const last = prices.at(-1);
  if (last === undefined) throw new Error(`does not run: ${source(from).slice(0, shownCharacters)}`);
  prices[prices.length - 1] = priceOf(last.n, runsUntilClear(ground, program));
  return { prices, heldBytes: heldBytesOf(ground, program) };
}

/**
 * Runs a program a few times.
 *
 * @param mayBeRefused for its size: a smaller one ran
 * @returns `undefined` where it is refused
 */
function runsOf<Generator extends Random<Generator>>(
  ground: Ground<Generator>,
  program: string,
  mayBeRefused: boolean,
): readonly Run[] | undefined {
  try {
    const runs = Array.from({ length: runsOfSize }, () => runOf(ground, program));
    return runs.includes(undefined) ? undefined : (runs as Run[]);
  } catch (error) {
    if (mayBeRefused && (error instanceof RefusedError || error instanceof InterpreterError)) return undefined;
    throw error;
  }
}

/** A program that is refused, or ends with errors. */
class RefusedError extends Error {}

function priceOf(n: number, runs: readonly Run[]): Price {
  const least = (of: (run: Run) => number) => Math.min(...runs.map(of));
  return {
    ...{ n, phlo: runs[0]!.phlo, playMs: least((run) => run.playMs), replayMs: least((run) => run.replayMs) },
    replay: ratioOf(runs),
  };
}

function ratioOf(runs: readonly Run[]): SampledRatio {
  return sampledRatio(runs.map(({ playMs, replayMs }) => replayMs / playMs));
}

/** Runs a program again and again until it is clear whether its replay takes longer than its play. */
function runsUntilClear<Generator extends Random<Generator>>(
  ground: Ground<Generator>,
  program: string,
): readonly Run[] {
  const runs = [...runsOf(ground, program, false)!];
  for (let ratio = ratioOf(runs); runs.length < maxRuns; ratio = ratioOf(runs)) {
    if (Math.abs(ratio.median - 1) > ratio.error) break;
    const run = runOf(ground, program);
    if (run === undefined) break;
    runs.push(run);
  }
  return runs;
}

/** @returns `undefined` where a rule of the dialect does not let a program be so large */
function runOf<Generator extends Random<Generator>>(ground: Ground<Generator>, source: string): Run | undefined {
  const { states, root } = ground.start;
  const { matchDatum, guardHolds } = ground.interpreter;
  const play = new PlaySpace(states, matchDatum, root, undefined, guardHolds);
  const played = timed(ground, source, play);
  const { result } = played;
  const shown = source.slice(0, shownCharacters);
  if (result.kind === "fatal") return undefined;
  if (result.kind === "broken") throw result.cause;
  if (result.kind !== "evaluated") throw new RefusedError(`${result.kind}: ${shown}`);
  if (result.errors.length > 0)
    throw new RefusedError(`${result.errors.map(({ message }) => message).join("; ")}: ${shown}`);
  const replay = new ReplaySpace(states, matchDatum, root, guardHolds);
  const replayed = timed(ground, source, replay, play.softCheckpoint().log);
  if (replay.checkReplayData() !== undefined) throw new Error(`is not repeated: ${shown}`);
  return { phlo: Number(result.cost), playMs: played.ms, replayMs: replayed.ms };
}

/** Evaluates a program on a space. @param log of a space that replays it */
function timed<Generator extends Random<Generator>>(
  { interpreter, start: { environment } }: Ground<Generator>,
  source: string,
  space: PlaySpace | ReplaySpace,
  log: ReturnType<PlaySpace["softCheckpoint"]>["log"] = [],
): { readonly result: EvaluateResult; readonly ms: number } {
  interpreter.install(space);
  const begun = process.cpuUsage();
  const isReplay = space instanceof ReplaySpace;
  if (isReplay) space.rig(log);
  const result = interpreter.evaluate({
    program: { source, environment },
    ...{ space, phloLimit, mergeableTag, replay: isReplay },
    random: interpreter.random.fromSeed(new Uint8Array(32)),
  });
  const { user, system } = process.cpuUsage(begun);
  return { result, ms: (user + system) / 1000 };
}

function heldBytesOf<Generator extends Random<Generator>>(ground: Ground<Generator>, source: string): number {
  const { matchDatum, guardHolds } = ground.interpreter;
  const play = new PlaySpace(ground.start.states, matchDatum, ground.start.root, undefined, guardHolds);
  throwGarbageAway();
  const before = process.memoryUsage().heapUsed;
  timed(ground, source, play);
  throwGarbageAway();
  const after = process.memoryUsage().heapUsed;
  // Up to here the space is in use.
  play.softCheckpoint();
  return Math.max(0, after - before);
}

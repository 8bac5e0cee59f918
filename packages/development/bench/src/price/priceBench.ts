import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Random } from "@vedette/crypto";
import { type EvaluateResult, f1r3nodeInterpreter, type Interpreter, rnodeInterpreter } from "@vedette/rholang";
import { nil, type Par } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace, type Space } from "@vedette/tuplespace";
import type { Measurements } from "../Measurements.js";
import { type PriceFamily, priceFamilies } from "./families.js";

/** What is measured of a family. */
export interface PriceOptions {
  /** Families whose names match; all of them by default. */
  readonly only: RegExp | undefined;
  /** A family is taken at growing sizes until a run takes so long. */
  readonly longestMs: number;
}

/** One program, played and replayed. */
interface Price {
  readonly n: number;
  readonly phlo: number;
  readonly playMs: number;
  readonly replayMs: number;
  /** What the space holds on to at the end of the play. */
  readonly heldBytes: number;
}

setFlagsFromString("--expose-gc");
/** What one run leaves behind is not to be collected in the next one's time. */
const throwGarbageAway = runInNewContext("gc") as () => void;

const phloLimit = 1_000_000_000n;
const noNames: ReadonlyMap<string, Par> = new Map();
/** Sizes double; the growth is that between the last and the one so many before. */
const sizes = 3;
const maxSteps = 12;
/** So many families that hold the most memory for a phlo are listed. */
const listedByMemory = 5;

/**
 * What a unit of phlo takes of the processor, by families of programs: in seconds for a million, how fast that grows
 * with the size, and how long a replay takes beside the play. Families that are dear beside the others are listed.
 */
export function benchPrice(measurements: Measurements, options: PriceOptions): void {
  benchDialect(measurements, "rnode", rnodeInterpreter, options);
  benchDialect(measurements, "f1r3node", f1r3nodeInterpreter, options);
}

function benchDialect<Generator extends Random<Generator>>(
  measurements: Measurements,
  dialect: "rnode" | "f1r3node",
  interpreter: Interpreter<Generator>,
  { only, longestMs }: PriceOptions,
): void {
  const prices = new Map<string, number>();
  const held = new Map<string, number>();
  const expensive: string[] = [];
  for (const [name, family] of Object.entries(priceFamilies)) {
    if (only?.test(name) === false) continue;
    const steps = pricesOf(interpreter, family, longestMs);
    const last = steps.at(-1);
    if (last === undefined) throw new Error(`${dialect} does not run ${name}`);
    const earlier = steps.at(-sizes) ?? steps[0]!;
    const seconds = last.playMs / 1000 / (last.phlo / 1e6);
    const growth = last === earlier ? 1 : Math.log(last.playMs / earlier.playMs) / Math.log(last.phlo / earlier.phlo);
    const replay = last.replayMs / last.playMs;
    prices.set(name, seconds);
    held.set(name, last.heldBytes / last.phlo);
    measurements.add(`${dialect}: ${name} (n ${last.n}, ${Math.round(last.phlo)} phlo)`, seconds, "s per million phlo");
    measurements.add(`${dialect}: ${name}, growth with phlo`, growth, "exponent");
    measurements.add(`${dialect}: ${name}, replay`, replay, "times play");
    if (growth > 1.1) expensive.push(`${name} grows faster than its phlo (exponent ${growth.toFixed(2)})`);
    if (replay > 1.1) expensive.push(`${name} takes ${replay.toFixed(1)} times as long to replay as to play`);
  }
  const sorted = [...prices.values()].sort((left, right) => left - right);
  const median = sorted[sorted.length >> 1] ?? 0;
  measurements.add(`${dialect}: median of ${sorted.length} families`, median, "s per million phlo");
  for (const [name, price] of prices)
    if (price > 3 * median) expensive.push(`${name} costs ${(price / median).toFixed(1)} times the median`);
  const byMemory = [...held].sort(([, left], [, right]) => right - left).slice(0, listedByMemory);
  for (const [name, bytes] of byMemory) measurements.add(`${dialect}: ${name}, memory held`, bytes, "bytes per phlo");
  for (const line of expensive) measurements.note(`${dialect}: ${line}`);
}

/** A family at growing sizes, each the best of three. */
function pricesOf<Generator extends Random<Generator>>(
  interpreter: Interpreter<Generator>,
  { source, from, most = Number.POSITIVE_INFINITY }: PriceFamily,
  longestMs: number,
): Price[] {
  const prices: Price[] = [];
  for (let n = from; n <= most && prices.length < maxSteps; n *= 2) {
    const program = source(n);
    const runs = Array.from({ length: 3 }, () => priceOf(interpreter, program)).filter((run) => run !== undefined);
    if (runs.length === 0) break;
    const least = (of: (run: Omit<Price, "n">) => number) => Math.min(...runs.map(of));
    prices.push({
      ...{ n, phlo: runs[0]!.phlo, playMs: least((run) => run.playMs), replayMs: least((run) => run.replayMs) },
      heldBytes: least((run) => run.heldBytes),
    });
    if (Math.max(prices.at(-1)!.playMs, prices.at(-1)!.replayMs) > longestMs) break;
  }
  return prices;
}

/** @returns `undefined` where a rule of the dialect does not let a program be so large */
function priceOf<Generator extends Random<Generator>>(
  interpreter: Interpreter<Generator>,
  source: string,
): Omit<Price, "n"> | undefined {
  const states = memoryStateStore(interpreter.space);
  const opened = new PlaySpace(states, interpreter.matchDatum, emptyRoot);
  interpreter.bootstrap(opened);
  const { root } = opened.checkpoint();
  const run = (space: Space, replay: boolean, prepare: () => void) => {
    interpreter.install(space);
    throwGarbageAway();
    const begun = process.cpuUsage();
    prepare();
    const result: EvaluateResult = interpreter.evaluate({
      program: { source, environment: noNames },
      ...{ space, phloLimit, mergeableTag: nil, replay },
      random: interpreter.random.fromSeed(new Uint8Array(32)),
    });
    const { user, system } = process.cpuUsage(begun);
    return { result, ms: (user + system) / 1000 };
  };
  const play = new PlaySpace(states, interpreter.matchDatum, root, undefined, interpreter.guardHolds);
  throwGarbageAway();
  const heapBefore = process.memoryUsage().heapUsed;
  const played = run(play, false, () => {});
  throwGarbageAway();
  const heldBytes = Math.max(0, process.memoryUsage().heapUsed - heapBefore);
  const { result } = played;
  const shown = source.slice(0, 200);
  if (result.kind === "fatal") return undefined;
  if (result.kind !== "evaluated") throw new Error(`${result.kind}: ${shown}`);
  if (result.errors.length > 0) throw new Error(`${result.errors.map(({ message }) => message).join("; ")}: ${shown}`);
  const replay = new ReplaySpace(states, interpreter.matchDatum, root, interpreter.guardHolds);
  const { log } = play.checkpoint();
  const replayed = run(replay, true, () => replay.rig(log));
  if (replay.checkReplayData() !== undefined) throw new Error(`is not repeated: ${shown}`);
  return { phlo: Number(result.cost), playMs: played.ms, replayMs: replayed.ms, heldBytes };
}

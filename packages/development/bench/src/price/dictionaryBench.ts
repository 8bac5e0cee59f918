import type { Random } from "@vedette/crypto";
import type { Interpreter } from "@vedette/rholang";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import type { Measurements } from "../Measurements.js";
import type { Dialect } from "./PriceFamily.js";

const fewKeys = 100;
const manyKeys = 100_000;
/** A Par has no more terms than some thirty thousand. */
const keysOfProgram = 10_000;
const calls = 1_000;
const rounds = 5;

/** By this name `--only` selects it. */
export const dictionaryName = "calls of a dictionary";

/**
 * Measures the cost of a call to a dictionary of contracts on one channel, each of which waits for a key of its own:
 * with few keys, and the ratio with very many.
 */
export function benchDictionary<Generator extends Random<Generator>>(
  measurements: Measurements,
  dialect: Dialect,
  interpreter: Interpreter<Generator>,
): void {
  const few = msOfCall(interpreter, fewKeys);
  const many = msOfCall(interpreter, manyKeys);
  measurements.add(`${dialect}: ${dictionaryName} with ${fewKeys} keys`, few, "ms");
  measurements.add(`${dialect}: ${dictionaryName} with ${manyKeys} keys`, many / few, "times that");
}

function msOfCall<Generator extends Random<Generator>>(interpreter: Interpreter<Generator>, keys: number): number {
  const states = memoryStateStore(interpreter.space);
  const space = new PlaySpace(states, interpreter.matchDatum, emptyRoot, undefined, interpreter.guardHolds);
  interpreter.bootstrap(space);
  interpreter.install(space);
  let seed = 0;
  const run = (source: string): void => {
    const result = interpreter.evaluate({
      program: { source, environment: new Map() },
      ...{ space, phloLimit: 1_000_000_000n, mergeableTag: nil, replay: false },
      random: interpreter.random.fromSeed(Uint8Array.of(seed++)),
    });
    if (result.kind !== "evaluated" || result.errors.length > 0) throw new Error(`a program ends with ${result.kind}`);
  };
  for (let from = 0; from < keys; from += keysOfProgram) {
    const count = Math.min(keysOfProgram, keys - from);
    run(Array.from({ length: count }, (_, at) => contractOf(from + at)).join(" | "));
  }
  const step = Math.max(1, Math.floor(keys / calls));
  const called = Array.from({ length: calls }, (_, at) => `@"get"!("key ${(at * step) % keys}", *r)`);
  const program = `new r in { for (@_ <= r) { Nil } | ${called.join(" | ")} }`;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const begun = process.cpuUsage();
    run(program);
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000 / calls);
  }
  return least;
}

function contractOf(key: number): string {
  return `contract @"get"(@"key ${key}", ret) = { ret!(${key}) }`;
}

import { SplittableRandom } from "@vedette/crypto";
import { compile, evaluate, installSystemProcesses, matchDatum, matchPar } from "@vedette/rholang";
import { nil, type Par } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import type { Measurements } from "./Measurements.js";
import { benchmarkContract, benchmarkMatches, benchmarkPrograms } from "./programs.js";

const noNames: ReadonlyMap<string, Par> = new Map();
const phloLimit = 10_000_000n;
const sourceCopies = 28;

/** The parser, the matcher, and the evaluation of programs, each on the empty state. */
export function benchLanguage(measurements: Measurements): void {
  const source = Array.from({ length: sourceCopies }, () => benchmarkContract).join(" |\n");
  measurements.rate(`compile ${source.length} characters`, "MB/s", () => {
    compile(source, noNames);
    return source.length / 1e6;
  });
  for (const [name, [target, pattern]] of Object.entries(benchmarkMatches))
    benchMatch(measurements, name, target, pattern);
  for (const [name, program] of Object.entries(benchmarkPrograms)) benchProgram(measurements, name, program);
}

function benchMatch(measurements: Measurements, name: string, target: string, pattern: string): void {
  const value = compile(target, noNames);
  const match = compile(`match Nil { ${pattern} => Nil }`, noNames).matches[0]!;
  const compiled = match.cases[0]!.pattern;
  if (matchPar(value, compiled) === undefined) throw new Error(`${target} does not match ${pattern}`);
  const repeats = 200;
  measurements.rate(`match ${name}`, "matches/s", () => {
    for (let i = 0; i < repeats; i += 1) matchPar(value, compiled);
    return repeats;
  });
}

function benchProgram(measurements: Measurements, name: string, source: string): void {
  const states = memoryStateStore();
  const par = compile(source, noNames);
  const run = (): PlaySpace => {
    const space = new PlaySpace(states, matchDatum, emptyRoot);
    installSystemProcesses(space);
    const random = SplittableRandom.fromSeed(new Uint8Array(0));
    const result = evaluate({ program: { par }, space, phloLimit, random, mergeableTag: nil, replay: false });
    if (result.kind !== "evaluated" || result.errors.length > 0) throw new Error(`${name} does not run`);
    return space;
  };
  const events = run().softCheckpoint().log.length;
  measurements.rate(`evaluate ${name}`, "events/s", () => {
    run();
    return events;
  });
  const rate = measurements.all.at(-1)!.value;
  measurements.add(`evaluate ${name}`, rate / events, "evaluations/s");
}

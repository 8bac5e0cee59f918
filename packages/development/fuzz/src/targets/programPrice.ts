import type { Random } from "@vedette/crypto";
import { budgetMeter, f1r3nodeInterpreter, type Interpreter, rnodeInterpreter } from "@vedette/rholang";
import { nil } from "@vedette/terms";
import { emptyRoot, type MatchDatum, memoryStateStore, PlaySpace, ReplaySpace } from "@vedette/tuplespace";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

/** With programs of these costs the time is above the fixed cost of every run. */
const phloLimit = 400_000n;
const leastPhlo = 20_000;
/** Seconds of processor time for a million phlo; a slow machine is no fault of the program. */
const mostSeconds = 15;

/** A value, of which `n` and `v` may be part. */
const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("n", "v", "0", "1", "-n", '"a"', '"key"', "Nil", "true", "@0!(n)", "n + 1"),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`),
    fc.array(tie("value"), { minLength: 1, maxLength: 3 }).map((items) => `(${items.join(", ")},)`),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `Set(${items.join(", ")})`),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map(mapText),
    fc.tuple(tie("value"), tie("value")).map(([left, right]) => `{${left} | ${right}}`),
  ),
}));

/** A pattern, with a name for each variable. */
const { pattern: anyPattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("_", "x?", "0", "1", '"key"', "Int", "String", "=v", "Nil"),
    fc.array(tie("pattern"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(tie("pattern"), { maxLength: 2 })
      .map((items) => `[${[...items, "...r?"].join(", ")}]`.replace(", ...", " ...")),
    fc.array(tie("pattern"), { maxLength: 3 }).map((items) => `Set(${items.join(", ")})`),
    fc.array(fc.tuple(tie("pattern"), tie("pattern")), { maxLength: 2 }).map(mapText),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `{${left} | ${right}}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `{${left} /\\ ${right}}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `{@0!(${left}) | ${right}}`),
  ),
}));

/** The uses of the passed value in a step. */
const anyResult = fc.oneof(
  anyValue,
  fc.constantFrom(
    ...["v ++ v", "v ++ [n]", "v.add(n)", "v.union(Set(n))", "v.set(n, v)", "v.delete(n)", "v.toSet()", "v.toList()"],
    ...["v.keys()", "v.toMap()", "v.slice(0, n)", "v.diff(Set(n))", "v -- Set(n)", "v == v", "v.toByteArray()"],
    ...["v.nth(0)", "v.size()", "v.length()", "v.take(n)", `"\${a}" %% {"a": v}`, "v.contains(n)", "v.get(n)"],
  ),
);

/** One step of a loop; `#` numbers the parallel parts. */
const anyStep = fc.oneof(
  fc.tuple(anyValue, anyPattern).map(([value, pattern]) => `match ${value} { ${named(pattern)} => Nil _ => Nil }`),
  fc.tuple(anyValue, anyPattern).map(([value, pattern]) => `c!(${value}) | for (@{${named(pattern)}} <- c) { Nil }`),
  fc.tuple(anyValue, anyPattern).map(([value, pattern]) => `d!(${value}) | for (@{${named(pattern)}} <- d) { d!(n) }`),
  fc
    .tuple(anyPattern, anyPattern)
    .map(([one, two]) => `for (@{${named(one, "a")}} <- c & @{${named(two, "b")}} <- d) { Nil }`),
  anyValue.map((value) => `c!!(${value}) | for (_ <<- c) { Nil }`),
  anyPattern.map((pattern) => `for (@{${named(pattern)}} <= c) { Nil }`),
  anyResult.map((result) => `match ${result} { _ => Nil }`),
  fc
    .tuple(anyPattern, anyPattern)
    .map(([one, two]) => `for (@{${named(one, "a")}}, @{${named(two, "b")}} <- c) { c!(n, v) }`),
);

interface PricedProgram {
  readonly source: string;
  readonly dialect: "rnode" | "f1r3node";
}

const anyProgram: fc.Arbitrary<PricedProgram> = fc
  .record({
    steps: fc.array(anyStep, { minLength: 1, maxLength: 3 }),
    result: fc.oneof(anyResult, fc.constant("v")),
    start: anyValue,
    rounds: fc.constantFrom(50, 200, 600),
    dialect: fc.constantFrom("rnode" as const, "f1r3node" as const),
  })
  .map(({ steps, result, start, rounds, dialect }) => {
    const next = `loop!(n - 1, ${result})`;
    const body = `match n { 0 => Nil _ => { ${steps.join(" | ")} | ${next} } }`;
    const loop = `contract loop(@n, @v) = { ${body} }`;
    const first = start.replace(/\b[nv]\b/g, "0");
    return { dialect, source: `new loop, c, d in { ${loop} | loop!(${rounds}, ${first}) }` };
  });

/** The price of the last program: a run goes on from the most expensive ones. */
let lastPrice = 0;

/** Programs of all kinds: what they take of the processor is paid for with phlo, in play and replay. */
export const programPrice = propertyTarget<PricedProgram>({
  name: "program-price",
  about: "a program takes processor time as its phlo allows, and its replay repeats it",
  cost: "expensive",
  files: ["rholang/match/", "rholang/evaluate/", "rholang/f1r3node/", "tuplespace/space/", "tuplespace/replay/"],
  maxBytes: 256,
  values: anyProgram,
  check: ({ source, dialect }) => {
    const price = dialect === "rnode" ? priceOf(rnodeInterpreter, source) : priceOf(f1r3nodeInterpreter, source);
    lastPrice = price ?? 0;
    must((price ?? 0) < mostSeconds, () => `costs ${price!.toFixed(1)} s for a million phlo`);
  },
  showValue: ({ source, dialect }) => `${dialect}: ${source}`,
  climbs: () => lastPrice,
});

/** Some matches take exponential time (22 §1.12); a proposer stops them. */
const longestMs = 2_000;

/** @returns seconds for a million phlo, of the dearer of play and replay; `undefined` where the program does not run */
function priceOf<Generator extends Random<Generator>>(
  interpreter: Interpreter<Generator>,
  source: string,
): number | undefined {
  const states = memoryStateStore(interpreter.space);
  const opened = new PlaySpace(states, interpreter.matchDatum, emptyRoot);
  interpreter.bootstrap(opened);
  const { root } = opened.checkpoint();
  const budget = { deadlineMs: performance.now() + longestMs, nowMs: () => performance.now() };
  const meter = budgetMeter(budget);
  const match: MatchDatum = (pattern, data) => interpreter.matchDatum(pattern, data, meter);
  const run = (space: PlaySpace | ReplaySpace, replay: boolean, prepare: () => void) => {
    interpreter.install(space);
    const begun = process.cpuUsage();
    prepare();
    const result = interpreter.evaluate({
      program: { source, environment: new Map() },
      ...{ space, phloLimit, mergeableTag: nil, replay, budget },
      random: interpreter.random.fromSeed(new Uint8Array(32)),
    });
    const { user, system } = process.cpuUsage(begun);
    return { result, seconds: (user + system) / 1e6 };
  };
  const play = new PlaySpace(states, match, root, undefined, interpreter.guardHolds);
  const { result, seconds } = run(play, false, () => {});
  if (result.kind !== "evaluated" || Number(result.cost) < leastPhlo) return undefined;
  const price = seconds / (Number(result.cost) / 1e6);
  if (result.errors.length > 0) return price;
  const { log } = play.softCheckpoint();
  const replay = new ReplaySpace(states, match, root, interpreter.guardHolds);
  budget.deadlineMs = performance.now() + longestMs;
  const again = run(replay, true, () => replay.rig(log));
  if (again.result.kind === "stopped") return undefined;
  must(replay.checkReplayData() === undefined, "a replay repeats all of a play");
  must(again.result.kind === "evaluated" && again.result.cost === result.cost, "a replay costs what the play costs");
  return Math.max(price, again.seconds / (Number(result.cost) / 1e6));
}

function mapText(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
}

/** Gives each variable of a pattern its own name. */
function named(pattern: string, prefix = "x"): string {
  let count = 0;
  return pattern.replace(/[xr]\?/g, () => `${prefix}${count++}`);
}

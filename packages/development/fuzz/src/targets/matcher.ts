import { compile, InterpreterError, matchPar } from "@vedette/rholang";
import { encodePar, type Par } from "@vedette/terms";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { PlainMatcher, TooLong } from "../model/PlainMatcher.js";
import { type Captured, TwiceBound } from "../model/plainTerms.js";

const maxSteps = 3_000;
/** Longer programs take the model too long. */
const maxCharacters = 250;

/** Terms as texts; what a pattern is made from beside them. */
interface Pieces {
  readonly target: string;
  readonly pattern: string;
}

/** Holes are numbered when a whole pattern is put together, so that none occurs twice. */
const hole = "\u0001";

const ground = fc.constantFrom(
  "0",
  "1",
  "2",
  '"a"',
  "true",
  "`u`",
  "Nil",
  "-1",
  "[]",
  "Set()",
  "{}",
  "1 + 1",
  "not true",
);

/** A term and a pattern that was made of it by leaving things open: it often matches, and often nearly. */
function anyPieces(depth: number): fc.Arbitrary<Pieces> {
  const same = ground.map((text) => ({ target: text, pattern: text }));
  const open = fc
    .tuple(ground, fc.constantFrom(hole, hole, "_", "Int", "~Nil", "~Int", "String", "Bool", "Uri", "0"))
    .map(([target, pattern]) => ({ target, pattern }));
  if (depth === 0) return fc.oneof(same, open);
  const inner = anyPieces(depth - 1);
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  const rest = fc.constantFrom("", "", `...${hole}`, "..._");
  const more = fc.array(ground, { maxLength: 2 });
  const both = (one: Pieces, wrap: (text: string) => string) => ({
    target: wrap(one.target),
    pattern: wrap(one.pattern),
  });
  return fc.oneof(
    same,
    open,
    inner.map(({ target }) => ({ target, pattern: hole })),
    inner.map(({ target }) => ({ target, pattern: "_" })),
    fc.tuple(several, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), rest, more).map(parallel),
    fc.tuple(several, rest, more).map((parts) => collection("[", parts)),
    fc.tuple(several, rest, more).map((parts) => collection("Set(", parts)),
    fc.tuple(several, several, rest).map(mapping),
    fc.tuple(inner, several, fc.constantFrom("!", "!", "!!")).map(([channel, data, sign]) => ({
      target: `@{${channel.target}}${sign}(${data.map(({ target }) => target).join(", ")})`,
      pattern: `@{${channel.pattern}}${sign}(${data.map(({ pattern }) => pattern).join(", ")})`,
    })),
    fc.tuple(inner, inner).map(([source, body]) => ({
      target: `for (@k <- @{${source.target}}) { ${body.target} | k }`,
      pattern: `for (@k <- @{${source.pattern}}) { ${body.pattern} | k }`,
    })),
    inner.map((one) => both(one, (text) => `new n in { n!(${text}) }`)),
    inner.map((one) => both(one, (text) => `match ${braced(text)} { 1 => ${braced(text)} }`)),
    inner.map((one) => both(one, (text) => `bundle+ { ${text} }`)),
    fc
      .tuple(inner, fc.constantFrom(" ++ ", " - ", " == ", " * "))
      .map(([one, sign]) => both(one, (text) => `${braced(text)}${sign}1`)),
    inner.map(({ target, pattern }) => ({ target, pattern: `${hole} /\\ ${braced(pattern)}` })),
    fc
      .tuple(inner, inner)
      .map(([one, other]) => ({ target: one.target, pattern: `${braced(other.pattern)} \\/ ${braced(one.pattern)}` })),
    inner.map(({ target, pattern }) => ({ target, pattern: `~${braced(pattern)}` })),
  );
}

function braced(text: string): string {
  return `{${text}}`;
}

function parallel([pieces, order, rest, more]: [
  readonly Pieces[],
  readonly number[],
  string,
  readonly string[],
]): Pieces {
  const patterns = order.flatMap((index) => (pieces[index] === undefined ? [] : [braced(pieces[index].pattern)]));
  const open = rest === "" ? [] : [rest.slice(3)];
  return {
    target: [...pieces.map(({ target }) => braced(target)), ...more].join(" | "),
    pattern: [...patterns, ...open].join(" | "),
  };
}

function collection(begin: "[" | "Set(", [pieces, rest, more]: [readonly Pieces[], string, readonly string[]]): Pieces {
  const end = begin === "[" ? "]" : ")";
  return {
    target: `${begin}${[...pieces.map(({ target }) => target), ...more].join(", ")}${end}`,
    pattern: `${begin}${pieces.map(({ pattern }) => pattern).join(", ")}${rest === "" ? "" : ` ${rest}`}${end}`,
  };
}

function mapping([keys, values, rest]: [readonly Pieces[], readonly Pieces[], string]): Pieces {
  const pairs = (part: "target" | "pattern") =>
    keys.map((key, index) => `${braced(key[part])} : ${(values[index] ?? key)[part]}`).join(", ");
  return { target: `{${pairs("target")}}`, pattern: `{${pairs("pattern")}${rest === "" ? "" : ` ${rest}`}}` };
}

/** Compiled together, as a program has them. */
interface Case {
  readonly source: string;
  readonly target: Par;
  readonly pattern: Par;
}

function compiledCase({ target, pattern }: Pieces): Case | undefined {
  if (target.length + pattern.length > maxCharacters) return undefined;
  let count = 0;
  const numbered = pattern.replaceAll(hole, () => `x${(count += 1)}`);
  const source = `match {${target}} { {${numbered}} => Nil }`;
  try {
    const [match] = compile(source).matches;
    return { source, target: match!.target, pattern: match!.cases[0]!.pattern };
  } catch (error) {
    if (error instanceof InterpreterError) return undefined;
    throw error;
  }
}

export const matcher = propertyTarget({
  name: "matcher",
  about: "the matcher finds what an exhaustive search by the chapter's words finds first",
  cost: "expensive",
  files: ["rholang/match/"],
  values: anyPieces(2),
  check: (pieces) => {
    const made = compiledCase(pieces);
    if (made === undefined) return;
    const expected = outcomeOf(() => new PlainMatcher(maxSteps).match(made.target, made.pattern));
    if (expected === "too long") return;
    const actual = outcomeOf(() => matchPar(made.target, made.pattern));
    must(actual === expected, () => `the matcher found ${actual}, the model ${expected}`);
  },
  showValue: (pieces) => compiledCase(pieces)?.source ?? JSON.stringify(pieces),
});

/** As a text, so that two are compared at a glance. */
function outcomeOf(match: () => Captured | undefined): string {
  let captured: Captured | undefined;
  try {
    captured = match();
  } catch (error) {
    if (error instanceof TooLong) return "too long";
    if (error instanceof TwiceBound) return "a variable bound twice";
    if (error instanceof InterpreterError && error.failure.class === "BugFoundError") return "a variable bound twice";
    throw error;
  }
  if (captured === undefined) return "no match";
  const levels = [...captured].sort(([one], [other]) => one - other);
  return levels.map(([level, par]) => `${level}=${Buffer.from(encodePar(par)).toString("hex")}`).join(" ") || "a match";
}

import type { Dialect } from "@vedette/protocol";

/** Programs that nest so deep, by what nests. */
export function deepTerms(depth: number): Readonly<Record<string, string>> {
  const nested = (open: string, inner: string, close = "") => `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
  return {
    deepList: `@0!(${nested("[", "", "]")})`,
    deepTuple: `@0!(${nested("(1,", "1", ")")})`,
    deepNew: nested("new x in ", "Nil"),
    deepSend: nested("@0!(", "1", ")"),
    deepMatch: nested("match 1 { 1 => {", "Nil", "}}"),
    deepParentheses: `@0!(${nested("(", "1", ")")})`,
    deepNegation: `@0!(${nested("- ", "1")})`,
    deepSum: `new return in { return!(${nested("1+", "1")}) }`,
    deepMethods: `@0!([1]${nested(".slice(0,1)", "")})`,
    deepPattern: `for (@{${nested("[", "x", "]")}} <- @0) { Nil }`,
    deepNegatedPattern: `match 1 { ${nested("~", "1")} => Nil }`,
    deepBundle: nested("bundle+{", "Nil", "}"),
    deepQuotes: `${nested("@{*", "@1", "}")}!(1)`,
    deepReceive: nested("for (x <- @0) {", "Nil", "}"),
    deepAnswer: `new return in { return!(${nested("[", "", "]")}) }`,
  };
}

const list = <T>(count: number, part: (i: number) => T, separator: string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator);
const doubling = (seed: string, step: string) =>
  `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(${step}, n - 1) } } | l!(${seed}, 60) }`;

const matching = (pattern: string, sends: number) =>
  `match { ${list(sends, (i) => `@${i}!(Nil)`, "|")} } { ${pattern} => Nil }`;

/** Programs that are meant to do harm, by their effects; some are of many megabytes, and made on demand. */
export function hostileTerms(): Readonly<Record<string, string>> {
  return (made ??= makeTerms());
}

let made: Readonly<Record<string, string>> | undefined;

const makeTerms = () => ({
  malformed: "new x in {",
  notText: "\u0000\uffff\ud800",
  endless: "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }",
  branching: "new l in { contract l(@n) = { l!(n + 1) | l!(n + 2) } | l!(0) }",
  persistentPair: "for (x <= @0) { Nil } | @0!!(1)",
  ...deepTerms(100_000),
  tooDeep: "(".repeat(900_000),
  manySends: list(50_000, () => "@0!(1)", "|"),
  tooLarge: `@0!([${list(600_000, () => "1", ",")}])`,
  longText: `@0!("${"a".repeat(40 << 20)}")`,
  doubledTexts: doubling('"12345678"', "x ++ x"),
  doubledBytes: doubling('"0123456789abcdef".hexToBytes()', "x ++ x"),
  doubledLists: doubling("[Nil]", "x ++ x"),
  doubledProcesses: doubling("{@0!()}", "{x | x}"),
  nestedLists: doubling("[1]", "[x, x]"),
  filledIn: `@0!((${list(2000, () => '"\u0024{a}"', " ++ ")}) %% {"a": "${"b".repeat(200_000)}"})`,
  longMatch: matching("{ ~{_ | 1} | ~{_ | 2} | {~{_ | 3} /\\ {@99!(_)}} }", 30),
  splitMatch: matching("{ {{~{_} | _} \\/ {~{_} | _}} | _ }", 18),
  manyEscapes: `@0!("${'\\"'.repeat(10_000_000)}")`,
});

const beside = (name: string) => (index: number) => `@${index}!(0) | ${hostileTerms()[name]}`;

/** Programs that come to an end whatever time they are given: by their own answer, or by a limit that is not time. */
export const endsByItself: ReadonlySet<string> = new Set([
  ...["malformed", "notText", "deepParentheses", "deepNegation", "deepSum", "deepQuotes", "tooDeep", "manySends"],
  ...["tooLarge", "longText", "doubledTexts", "doubledBytes", "doubledLists", "doubledProcesses", "nestedLists"],
  ...["filledIn", "manyEscapes"],
]);

/** A term that no block can hold, by dialect: rnode ends with an exception of its host, f1r3node with a panic. */
export const fatalTerm: Readonly<Record<Dialect["name"], (index: number) => string>> = {
  rnode: (index) => `@${index}!(1 / 0)`,
  f1r3node: (index) => `@${index}!("é".slice(0, 1))`,
};

/**
 * Programs of all kinds that a key can send for free: each has no result that a block could hold, or takes longer than
 * allowed. Each has a unique part beside it, so that no two are the same.
 */
export const hostileKinds = (
  dialect: Dialect["name"],
): Readonly<Record<string, { readonly count: number; readonly term: (index: number) => string }>> => ({
  fatal: { count: 30, term: fatalTerm[dialect] },
  endless: { count: 15, term: beside("endless") },
  doubledTexts: { count: 10, term: beside("doubledTexts") },
  doubledLists: { count: 10, term: beside("doubledLists") },
  doubledProcesses: { count: 5, term: beside("doubledProcesses") },
  longMatch: { count: 15, term: beside("longMatch") },
  deepList: { count: 5, term: beside("deepList") },
  deepPattern: { count: 5, term: beside("deepPattern") },
  manyItems: { count: 5, term: (index) => `@${index}!([${list(490_000, () => "1", ",")}])` },
});

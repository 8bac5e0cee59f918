import { deployFamilies } from "./deployFamilies.js";
import { methodFamilies } from "./methodFamilies.js";
import { beside, growing, largeSet, list, type PriceFamilies, times, timesWith } from "./PriceFamily.js";
import { waitingFamilies } from "./waitingFamilies.js";

/** Takes a collection apart, one element after the other, with a pattern that has a rest `v`. */
const takenApart = (value: string, pattern: string) =>
  `new loop in { contract loop(@v) = { match v { ${pattern} => loop!(v) _ => Nil } } | loop!(${value}) }`;

/** Programs by the constructs of the language that they spend their time on. */
const constructFamilies: PriceFamilies = {
  "loop of calls": { from: 500, source: (n) => times("Nil", n) },
  "sends to itself": { from: 500, source: (n) => `new c in { for (@n <= c) { if (n > 0) { c!(n - 1) } } | c!(${n}) }` },
  "wide par of sends": { from: 500, source: (n) => `new c in { ${beside(n, (at) => `c!(${at})`)} }` },
  "deep nesting of lists": { from: 50, most: 400, source: (n) => `new c in { c!(${"[".repeat(n)}${"]".repeat(n)}) }` },
  "deep news": { from: 50, most: 400, source: (n) => `${"new x in { x!(1) | ".repeat(n)}Nil${" }".repeat(n)}` },
  "names of one new": { from: 100, source: (n) => `new ${list(n, (at) => `x${at}`)} in { x0!(1) }` },
  "persistent sends, taken": {
    from: 200,
    source: (n) => `new c in { c!!(1) | ${times("for (@_ <- c) { Nil }", n)} }`,
  },
  "peeks at one datum": { from: 100, source: (n) => `new c in { c!(1) | ${times("for (@_ <<- c) { Nil }", n)} }` },
  "patterns of several processes": {
    from: 20,
    source: (n) => times("new c in { c!(1 | 2 | 5) | for (@{x | y | 5} <- c) { Nil } }", n),
  },
  "patterns of several sends": {
    from: 20,
    source: (n) =>
      times("new c in { c!({ @1!(1) | @1!(2) | @1!(3) }) | for (@{ @1!(x) | @1!(y) | z } <- c) { Nil } }", n),
  },
  "match with connectives": {
    from: 100,
    source: (n) => times("match [n, n] { [1, _] => Nil [x /\\ Int, ~String] => Nil _ => Nil }", n),
  },
  "match of a set with a rest": { from: 50, source: (n) => times("match Set(1, 2, 3, 4) { Set(1, ...r) => Nil }", n) },
  "large match": {
    from: 50,
    source: (n) => `match ${n} { ${Array.from({ length: n }, (_, at) => `${at} => Nil`).join(" ")} _ => Nil }`,
  },
  "matches operator": { from: 200, source: (n) => times("if ([n, 1] matches [Int, 1]) { Nil }", n) },
  arithmetic: { from: 200, source: (n) => times("match (n * 3 + 7) % 5 - n / 2 { _ => Nil }", n) },
  "strings that grow": { from: 50, source: (n) => growing('""', 'v ++ "0123456789"', n) },
  "strings that double": { from: 3, source: (n) => growing('"0123456789"', "v ++ v", Math.round(Math.log2(n)) + 8) },
  interpolation: { from: 100, source: (n) => times(`match "\${a} and \${b}" %% {"a": n, "b": "x"} { _ => Nil }`, n) },
  "lists that grow": { from: 50, source: (n) => growing("[]", "v ++ [n]", n) },
  "nth of a list": {
    from: 100,
    source: (n) =>
      `new c in { c!([${list(200, String)}]) | for (@v <- c) { ${times("match v.nth(100) { _ => Nil }", n)} } }`,
  },
  "maps that grow": { from: 50, source: (n) => growing("{}", "v.set(n, n)", n) },
  "sets that grow": { from: 50, source: (n) => growing("Set()", "v.add(n)", n) },
  "union of sets": { from: 50, source: (n) => growing("Set()", "v.union(Set(n, n + 1, n + 2))", n) },
  "removal from a map": {
    from: 50,
    source: (n) => growing(`{${list(200, (at) => `${at}: ${at}`)}}`, "v.delete(n)", n),
  },
  "maps compared": {
    from: 50,
    source: (n) => growing(`{${list(50, (at) => `${at}: ${at}`)}}`, "v.set(0, v == v.set(1, n))", n),
  },
  hashes: {
    from: 50,
    source: (n) =>
      `new h(\`rho:crypto:blake2b256Hash\`), r in { ${times('h!("00".hexToBytes(), *r) | for (@_ <- r) { Nil }', n)} }`,
  },
  "bytes of terms": { from: 100, source: (n) => times("match [n, {1: n}].toByteArray() { _ => Nil }", n) },
  bundles: { from: 100, source: (n) => times("new c in { for (_ <- c) { Nil } | @{bundle+{*c}}!(n) }", n) },
  cells: {
    from: 50,
    source: (n) => `new cell in { cell!(0) | ${times("for (@v <- cell) { cell!(v + 1) }", n)} }`,
  },
  "a large set with a rest": {
    from: 100,
    source: (n) => `match Set(${list(n, String)}) { Set(0, ...r) => Nil }`,
  },
  "a large map with a rest": {
    from: 100,
    source: (n) => `match {${list(n, (at) => `${at}: 0`)}} { {0: x, ...r} => Nil }`,
  },
  "many elements and a rest": {
    from: 100,
    source: (n) => `match Set(${list(2 * n, String)}) { Set(${list(n, (at) => String(2 * at))}, ...r) => Nil }`,
  },
  "new of a hundred names": {
    from: 20,
    source: (n) => times(`new ${list(100, (at) => `x${at}`)} in { x7!(1) }`, n),
  },
  "names of one new, all used": {
    from: 300,
    most: 25_600,
    source: (n) => `new ${list(n, (at) => `x${at}`)} in { ${beside(n, (at) => `x${at}!(1)`)} }`,
  },
  "lists in lists, side by side": {
    from: 300,
    source: (n) => `new c in { ${beside(n, () => `c!(${"[".repeat(100)}${"]".repeat(100)})`)} }`,
  },
  "processes kept in data": {
    from: 50,
    source: (n) => times("new c, d in { c!({ d!(1) | d!(2) | for (@x <- d) { c!(x) } }) | for (p <- c) { *p } }", n),
  },
  "match with or": { from: 100, source: (n) => times("match n { 0 \\/ 1 \\/ String => Nil _ => Nil }", n) },
  "match with and": { from: 100, source: (n) => times("match n { x /\\ y /\\ Int => Nil _ => Nil }", n) },
  "match with not": { from: 100, source: (n) => times("match n { ~String => Nil _ => Nil }", n) },
  "matches with or": { from: 100, source: (n) => times("if (n matches { 0 \\/ 1 \\/ Int }) { Nil }", n) },
  "matches with and": { from: 100, source: (n) => times("if (n matches { Int /\\ ~0 }) { Nil }", n) },
  "matches with not": { from: 100, source: (n) => times("if (n matches { ~String }) { Nil }", n) },
  "free names in patterns": {
    from: 50,
    source: (n) =>
      times("new c in { c!({ for (@a <- @1) { @2!(3) } }) | for (@{ for (@x <- y) { z } } <- c) { Nil } }", n),
  },
  "sets in sets": { from: 50, source: (n) => times("match Set(Set(1, 2), Set(3)) { Set(Set(1, x), ...r) => Nil }", n) },
  "a list taken apart": { from: 100, source: (n) => takenApart(`[${list(n, String)}]`, "[x, ...v]") },
  "a set taken apart": { from: 100, source: (n) => takenApart(`Set(${list(n, String)})`, "Set(x, ...v)") },
  "a map taken apart": { from: 100, source: (n) => takenApart(`{${list(n, (at) => `${at}: 0`)}}`, "{x: y, ...v}") },
  "a large set kept by many receives": {
    from: 100,
    source: (n) => timesWith(largeSet, "new c in { for (_ <- c) { c!(v) } }", n),
  },
  "many large texts": { from: 100, source: (n) => timesWith('"0123456789"', "@n!(v ++ v ++ v ++ v ++ v ++ v)", n) },
};

/**
 * Programs of all kinds that a deploy can hold, by what they spend their time on.
 *
 * A unit of phlo is to buy about the same time in all of them.
 */
export const priceFamilies: PriceFamilies = {
  ...constructFamilies,
  ...waitingFamilies,
  ...methodFamilies,
  ...deployFamilies,
};

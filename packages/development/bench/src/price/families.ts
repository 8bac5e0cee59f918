/** A kind of program whose size can be chosen. */
export interface PriceFamily {
  /** The program of size `n`. */
  readonly source: (n: number) => string;
  /** A small size, with which a run takes some milliseconds. */
  readonly from: number;
  /** The greatest size that the limits of programs let through. */
  readonly most?: number;
}

/** Does something `n` times, one after the other; `@n` counts down. */
const times = (step: string, n: number) =>
  `new loop in { contract loop(@n) = { match n { 0 => Nil _ => { ${step} | loop!(n - 1) } } } | loop!(${n}) }`;

const list = (n: number, item: (at: number) => string) => Array.from({ length: n }, (_, at) => item(at)).join(", ");
const beside = (n: number, item: (at: number) => string) => Array.from({ length: n }, (_, at) => item(at)).join(" | ");

/** Calls itself with a value that grows by each step. */
const growing = (start: string, step: string, n: number) =>
  `new grow in { contract grow(@n, @v) = { match n { 0 => Nil _ => grow!(n - 1, ${step}) } } | grow!(${n}, ${start}) }`;

/** Receives that wait, then sends on the same channel. */
const waiting = (receive: (at: number) => string, send: (at: number) => string, n: number) =>
  `new c, go in { ${beside(n, receive)} | go!(Nil) | for (_ <- go) { ${beside(n, send)} } }`;

/** Sends that lie, then receives on the same channel. */
const lying = (send: (at: number) => string, receive: (at: number) => string, n: number) => waiting(send, receive, n);

/** Does something `n` times with one value, which lies ready as `v`. */
const timesWith = (value: string, step: string, n: number) =>
  `new c in { c!(${value}) | for (@v <- c) { ${times(step, n)} } }`;

/** A collection that is large beside what is done with it. */
const large = 2_000;
const largeList = `[${list(large, String)}]`;
const largePairs = `[${list(large, (at) => `(${at}, 0)`)}]`;
const largeSet = `Set(${list(large, String)})`;
const largeMap = `{${list(large, (at) => `${at}: 0`)}}`;
const largeText = `"${"0123456789".repeat(large / 10)}"`;

/** A method of a large value, which costs the same however large that is. */
const ofLarge = (value: string, result: string): PriceFamily => ({
  from: 100,
  source: (n) => timesWith(value, `match ${result} { _ => Nil }`, n),
});

const join = (channels: number, n: number) => {
  const names = Array.from({ length: channels }, (_, at) => `c${at}`);
  const sends = names.map((name) => `${name}!(n)`).join(" | ");
  const binds = names.map((name) => `_ <- ${name}`).join(" & ");
  return `new ${names.join(", ")} in { ${times(`${sends} | for (${binds}) { Nil }`, n)} }`;
};

/**
 * Programs of all kinds that a deploy can hold, by what they spend their time on.
 *
 * A unit of phlo is to buy about the same time in all of them.
 */
export const priceFamilies: Readonly<Record<string, PriceFamily>> = {
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
  "joins of two": { from: 100, source: (n) => join(2, n) },
  "joins of eight": { from: 50, source: (n) => join(8, n) },
  "receives that wait and match": {
    from: 100,
    source: (n) =>
      waiting(
        () => "for (@_ <- c) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that never match": {
    from: 100,
    source: (n) =>
      waiting(
        (at) => `for (@("never", ${at}) <- c) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives whose kind never matches": {
    from: 100,
    source: (n) =>
      waiting(
        () => "for (@[x, y] <- c) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that never match, two values": {
    from: 100,
    source: (n) =>
      waiting(
        () => "for (@1, @2 <- c) { Nil }",
        (at) => `c!(${at + 3}, 2)`,
        n,
      ),
  },
  "receives by key": {
    from: 100,
    source: (n) =>
      waiting(
        (at) => `for (@${at}, @x <- c) { Nil }`,
        (at) => `c!(${at}, Nil)`,
        n,
      ),
  },
  "receives by text key in a tuple": {
    from: 100,
    source: (n) =>
      waiting(
        (at) => `for (@("key ${at}", x) <- c) { Nil }`,
        (at) => `c!(("key ${at}", ${at}))`,
        n,
      ),
  },
  "data by key": {
    from: 100,
    source: (n) =>
      lying(
        (at) => `c!(${at}, Nil)`,
        (at) => `for (@${at}, @x <- c) { Nil }`,
        n,
      ),
  },
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
  "nth of a large list": ofLarge(largeList, "v.nth(n % 100)"),
  "length of a large list": ofLarge(largeList, "v.length()"),
  "length of a large text": ofLarge(largeText, "v.length()"),
  "slice of a large text": ofLarge(largeText, "v.slice(0, 1)"),
  "a large list appended to": ofLarge(largeList, "(v ++ [n]).nth(n % 100)"),
  "a large list to a set": ofLarge(largeList, "v.toSet().contains(n)"),
  "a large list to a map": ofLarge(largePairs, "v.toMap().get(n)"),
  "look into a large set": ofLarge(largeSet, "v.contains(n)"),
  "one more in a large set": ofLarge(largeSet, "v.add(-n).contains(n)"),
  "one less in a large set": ofLarge(largeSet, "v.delete(n).contains(n)"),
  "look into a large map": ofLarge(largeMap, "v.get(n)"),
  "keys of a large map": ofLarge(largeMap, "v.keys().contains(n)"),
  "one more in a large map": ofLarge(largeMap, "v.set(-n, n).get(n)"),
  "another value in a large map": ofLarge(largeMap, "v.set(n, n).get(n)"),
  "one less in a large map": ofLarge(largeMap, "v.delete(n).get(n)"),
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
    from: 100,
    most: 25_600,
    source: (n) => `new ${list(n, (at) => `x${at}`)} in { ${beside(n, (at) => `x${at}!(1)`)} }`,
  },
  "joins that share a channel": {
    from: 100,
    most: 6_400,
    source: (n) =>
      waiting(
        (at) => `for (_ <- c & _ <- @${at}) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "lists in lists, side by side": {
    from: 20,
    source: (n) => `new c in { ${beside(n, () => `c!(${"[".repeat(100)}${"]".repeat(100)})`)} }`,
  },
  "processes kept in data": {
    from: 50,
    source: (n) => times("new c, d in { c!({ d!(1) | d!(2) | for (@x <- d) { c!(x) } }) | for (p <- c) { *p } }", n),
  },
};

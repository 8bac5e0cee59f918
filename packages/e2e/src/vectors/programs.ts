import { productions } from "@vedette/rholang/testing";

/** Programs of every construct, refused ones too: id → text. */
export const parsed: Readonly<Record<string, string>> = {
  nil: "Nil",
  sends: `@0!(1) | @"x"!!(2, [3], (4,), Set(5, 6), { "k": 7, 8: "v" })`,
  receives:
    "for (@x, y <- @1 & @[a, ...b] <- @2) { y!(x, a, b) } | for (@_ <= @3) { Nil } | for (@z <<- @4) { @5!(z) }",
  "receives/sequence": "for (@a <- @1; @b <- @2) { @a!(b) }",
  "receives/sources": "for (@x <- @1?!) { @2!(x) } | for (@x <- @3!?(4)) { @5!(x) }",
  sendsAndWaits: "@1!?(2, 3). | @4!?(5); @6!(7)",
  names: "new a, b(`rho:io:stdout`), c in { a!(*b) | c!(bundle+{*a}, bundle-{*b}, bundle0{*c}, bundle{*a}) }",
  contracts: `contract @"f"(@x, ret, ...@more) = { ret!(x, more) } | contract @"g"() = { Nil }`,
  matches: "match [1, 2] { [x, ...y] => @x!(y) (a, _) => Nil { k | _ } => @k!(0) ~Nil => Nil _ => Nil }",
  "matches/types":
    '@0!(1 matches Int, true matches Bool, `a:b` matches Uri, "s" matches String, "00".hexToBytes() matches ByteArray)',
  "matches/connectives": 'match 1 { Int /\\ ~0 => Nil "a" \\/ "b" => Nil { x /\\ Bool } => Nil _ => Nil }',
  conditions: "if (1 < 2 and not false) { @1!(1) } else if (2 >= 2 or 1 == 3) { @2!(2) } else { Nil }",
  lets: "let @x, y <- 1, 2; @z <- x + 1 in { @z!(*y) } | let @a <- 1 & @b <- 2 in { @a!(b) }",
  selects: "select { @x <- @1 => @2!(x) @y <- @3 => Nil }",
  arithmetic:
    '@0!(1 + 2 * 3 - 4 / 5 % 6, -7, 9223372036854775807, 1 ++ [2], Set(1) -- Set(2), "$" ++ "{a}" %% { "a": 1 })',
  methods: `@0!([1, 2].nth(0), "ab".length(), Set(1).add(2).contains(3), { 1: 2 }.getOrElse(3, 4), "x".toUtf8Bytes().slice(0, 1))`,
  texts: `@"ä€😀\\n\\t\\"\\\\"!("line\nbreak")`,
  comments: "// one\n@1!(2) /* two\n */ | Nil // three",
  sorting: '@2!(1) | @1!(2) | for (@_ <- @0) { Nil } | new x in { Nil } | 3 | "b" | "a" | [2, 1] | Set(2, 1, 2) | true',
  quoted: '@{@{1 | 2}!(3) | *@"x"}!(*@Nil) | for (@{@x!(y)} <- @0) { x | y }',
  "refused/token": "@1!(2) @3!(4)",
  "refused/end": "new x in {",
  "refused/character": "@1!(#)",
  "refused/unbound": "x!(1)",
  "refused/twice": "for (x, x <- @1) { Nil }",
  "refused/nameAsProcess": "new x in { x }",
  "refused/processAsName": "match 1 { y => y!(2) }",
  "refused/connective": "@(1 \\/ 2)!(3)",
  "refused/wildcard": "@_!(1)",
  "refused/number": "@0!(9223372036854775808)",
  "refused/freeTop": "@0!(y)",
  "refused/twoSequences": "for (x <- @1 & y <= @2) { Nil }",
};

/** Programs that are run: id → text. */
export const evaluated: Readonly<Record<string, string>> = {
  send: "@0!(2)",
  join: `@1!(1) | @2!(2) | for (@x <- @1 & @y <- @2) { @3!(x + y) }`,
  persistent: "@1!!(7) | for (@x <- @1) { for (@y <- @1) { @2!(x * y) } }",
  contract: `contract @"double"(@x, ret) = { ret!(2 * x) } | new r in { @"double"!(21, *r) | for (@y <- r) { @"got"!(y) } }`,
  loop: `new loop in { contract loop(@n) = { if (n > 0) { @"sum"!(n) | loop!(n - 1) } else { @"done"!(true) } } | loop!(5) }`,
  peek: "@1!(5) | for (@x <<- @1) { @2!(x) }",
  peeks: "@1!(5) | @2!(6) | for (@x <<- @1 & @y <<- @2) { @3!(x, y) }",
  patterns: `@1!([1, "a", { "k": (true, Nil) }]) | for (@[n, s, { "k": (b, _), ...rest }] <- @1) { @2!(n, s, b, rest) }`,
  remainders: "@1!(Set(1, 2, 3)) | for (@Set(2, ...others) <- @1) { @2!(others.size()) }",
  connectives: `@1!(3) | @1!("x") | for (@{Int /\\ x} <- @1) { @2!(x) } | for (@{String /\\ ~"y"} <- @1) { @3!("text") }`,
  parallel: `@1!({ @4!(5) | @6!(7) }) | for (@{ @4!(x) | y } <- @1) { @2!(x) | *@{y} }`,
  bundles: "new x in { @1!(bundle+{*x}) | for (y <- @1) { y!(8) } | for (@z <- x) { @2!(z) } }",
  "bundles/refused": "new x in { @1!(bundle-{*x}) | for (y <- @1) { y!(8) } }",
  arithmetic: "@1!((7 + 3) * 2 - 100 / 7 % 5, -9223372036854775807 - 1, 5 / -2, -5 % 3)",
  overflow: "@1!(9223372036854775807 + 1)",
  comparisons: `@1!(1 < 2, 2 <= 2, 3 > 4, "a" >= "b", 1 == 1, 1 != "1", [1] == [1], Nil == Nil)`,
  logic: "@1!(true and false, true or false, not true, false and (1 + true == 2))",
  texts: `@1!("ab" ++ "cd", "\${who} has \${n}" %% { "who": "u", "n": 3 }, "abc".slice(1, 2), "äöü".length(), "ab".toUtf8Bytes())`,
  bytes: `@1!("0aff".hexToBytes(), "0aff".hexToBytes().bytesToHex(), [1, 2].toByteArray(), "00".hexToBytes() ++ "01".hexToBytes())`,
  lists: "@1!([1, 2] ++ [3], [4, 5].nth(1), [1, 2, 3].slice(0, 2), [1, 2, 3].take(1), [].length(), [3, 3].toSet())",
  sets: "@1!(Set(1).union(Set(2)), Set(1, 2).delete(1), Set(1) ++ Set(3), Set(1, 2) -- Set(2), Set(5).toList())",
  maps: `@1!({ 1: 2 }.set(3, 4), { 1: 2 }.get(1), { 1: 2 }.get(9), { 1: 2, 3: 4 }.keys(), { 1: 2 }.union({ 1: 3 }), { 1: 2 }.toList())`,
  tuples: "@1!((1, 2).nth(1), (1,) == (1, 2))",
  matches: "match (1, [2, 3]) { (x, [y, ...z]) => @1!(x, y, z) }",
  "matches/none": "match 1 { 2 => @1!(1) } | @2!(2)",
  "matches/where": "@1!(({ 1: 2 }) matches ({ 1: _ }), Nil matches Nil, [1] matches [..._], 2 matches ~1)",
  lets: "let @x <- 1; @y <- x + 1 in { @1!(y) }",
  sendsAndWaits: `contract @"f"(ret, @x) = { ret!(x + 1) } | for (@y <- @"f"!?(1)) { @2!(y) }`,
  hashes: `new sha(\`rho:crypto:sha256Hash\`), keccak(\`rho:crypto:keccak256Hash\`), blake(\`rho:crypto:blake2b256Hash\`) in {
    sha!("00".hexToBytes(), 1) | keccak!("00".hexToBytes(), 2) | new r in { blake!("ff".hexToBytes(), *r) | for (@h <- r) { @3!(h) } }
  }`,
  signatures: `new verify(\`rho:crypto:ed25519Verify\`), r in { verify!("00".hexToBytes(), "00".hexToBytes(), "00".hexToBytes(), *r) | for (@ok <- r) { @1!(ok) } }`,
  blockData:
    "new data(`rho:block:data`), r in { data!(*r) | for (@number, @time, @sender <- r) { @1!(number, time, sender) } }",
  deployData: "new id(`rho:rchain:deployId`), who(`rho:rchain:deployerId`) in { @1!(*id) | @2!(*who) | id!(3) }",
  output: "new out(`rho:io:stdout`), ack(`rho:io:stdoutAck`), r in { out!(1) | ack!(2, *r) | for (_ <- r) { @1!(0) } }",
  registry: `new insert(\`rho:registry:insertArbitrary\`), uri in { insert!(bundle+{1}, *uri) | for (@u <- uri) { @1!(u) } }`,
  "errors/type": `@1!(1 + "a")`,
  "errors/method": `@1!("a".nth(0))`,
  "errors/two": `@1!(1 + true) | @2!("x" - 1)`,
  "errors/division": "@1!(1 / 0)",
  "errors/bounds": "@1!([1].nth(5))",
  "errors/parse": "new x in {",
};

/** Programs that use up what they are given: id → text and limit. */
export const costly: Readonly<Record<string, readonly [term: string, limit: number]>> = {
  parsing: ["@0!(1) | @0!(2) | @0!(3)", 20],
  first: ["@0!(1)", 50],
  exactly: ["@0!(2)", 97],
  oneLess: ["@0!(2)", 96],
  endless: [`new loop in { contract loop(@n) = { loop!(n + 1) } | loop!(0) }`, 20_000],
};

/** id → target, pattern. */
export const matched: Readonly<Record<string, readonly [target: string, pattern: string]>> = {
  ground: ["1", "1"],
  "ground/other": ["1", "2"],
  variable: [`[1, "a"]`, "x"],
  wildcard: ["Nil", "_"],
  list: ["[1, 2, 3]", "[x, ...y]"],
  "list/short": ["[1]", "[x, y, ...z]"],
  "list/all": ["[]", "[...x]"],
  tuple: ["(1, [2])", "(x, [y])"],
  "tuple/other": ["(1, 2)", "(x,)"],
  set: ["Set(1, 2, 3)", "Set(2, ...x)"],
  "set/any": ["Set(1, 2)", "Set(x, y)"],
  map: ["{ 1: 2, 3: 4 }", "{ 3: x, ...y }"],
  "map/keys": ["{ 1: 2, 3: 4 }", "{ x: 4, ...y }"],
  par: ["1 | 2 | 3", "2 | x"],
  "par/two": ["{ @1!(2) | @3!(4) }", "{ @3!(x) | y }"],
  "par/names": ["{ @1!(2) | @1!(3) }", "{ @x!(2) | @1!(y) }"],
  "par/rest": ["@1!(2) | for (@x <- @3) { Nil } | 5", "@1!(x) | y"],
  types: [`"a"`, "String"],
  "types/other": ["true", "Int"],
  and: ["3", "Int /\\ x"],
  or: [`"b"`, `"a" \\/ "b"`],
  not: ["1", "~2"],
  "not/same": ["1", "~1"],
  "not/nested": ["[1, 2]", "[~2 /\\ x, ...y]"],
  send: ["@1!(2, 3)", "@x!(y, z)"],
  persistent: ["@1!!(2)", "@1!(x)"],
  receive: ["for (@x <- @1) { @x!(2) }", "for (@y <- @1) { z }"],
  "receive/body": ["for (@x <- @1) { @2!(x) }", "for (@y <- @c) { @2!(y) }"],
  "new": ["new x in { x!(1) }", "new y in { y!(z) }"],
  expression: ["1 + 2", "x + 2"],
  method: ["[1].nth(0)", "x.nth(0)"],
  quote: ["*@{1 | 2}", "1 | x"],
  match: ["match 1 { 2 => Nil }", "match x { 2 => y }"],
  many: ["1 | 2 | 3 | 4 | 5", "x /\\ Int | ~1 | _"],
};

const texts: Readonly<Record<string, readonly string[]>> = {
  identifier: ["x", "y", "z"],
  integer: ["0", "1", "42"],
  string: [`"a"`, `"b c"`],
  uri: ["`rho:io:stdout`", "`a:b`"],
};
const deepest = 14;

/** A program by the grammar, the same for every number; most have names that nobody binds. */
export function randomProgram(number: number): string {
  let state = number * 2_654_435_761 + 1;
  const below = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * count);
  };
  const write = (symbol: string, depth: number): string => {
    const alternatives = productions.get(symbol);
    if (alternatives === undefined) return texts[symbol]?.[below(texts[symbol].length)] ?? symbol;
    // The last alternative leads on to the simpler ones; deep down it is always taken.
    const chosen = depth > deepest ? shortest(symbol) : alternatives[below(alternatives.length)]!;
    return chosen.map((each) => write(each, depth + 1)).join(" ");
  };
  return write("Proc", 0);
}

const heights = new Map<string, number>();
for (let isChanged = true; isChanged; ) {
  isChanged = false;
  for (const [left, alternatives] of productions) {
    const height = 1 + Math.min(...alternatives.map(heightOf));
    if (height < (heights.get(left) ?? Number.POSITIVE_INFINITY)) {
      heights.set(left, height);
      isChanged = true;
    }
  }
}

function heightOf(symbols: readonly string[]): number {
  return Math.max(
    0,
    ...symbols.map((symbol) => (productions.has(symbol) ? (heights.get(symbol) ?? Number.POSITIVE_INFINITY) : 0)),
  );
}

/** The alternative whose tree is the lowest. */
function shortest(symbol: string): readonly string[] {
  return productions.get(symbol)!.reduce((best, each) => (heightOf(each) < heightOf(best) ? each : best));
}

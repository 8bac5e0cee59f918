import { terminals } from "@vedette/rholang/testing";

const spelling: Readonly<Record<string, string>> = {
  identifier: " x ",
  integer: " 1 ",
  string: ' "s" ',
  uri: " `rho:io:stdout` ",
};

/** All tokens of the grammar, and what is between and inside of them. */
export const rholangWords: readonly string[] = [
  ...terminals.map((token) => spelling[token] ?? token),
  ...["y", "@x", "*x", "9223372036854775807", "9223372036854775808", '"\\n"', '"\\', "/*", "*/", "//", "\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Rholang's interpolation
  ...["é", "\u{1f600}", "\u0000", "\ufeff", "'", "_x", '"${a}" %% {"a": 1}', "new x in { ", "for(@x <- @0) { "],
  ...["contract f(x) = { ", "match x { ", ".nth(0)", "bundle+ { ", "select { ", "let x <- 1 in { ", " /\\ ", " \\/ "],
];

/** One or more of each construct. */
export const examplePrograms: readonly string[] = [
  "Nil",
  'new x, y(`rho:io:stdout`) in { x!(1, "a", `u`) | y!!(*x) }',
  "for (@x, y <- @0; @[a, ...b] <= @1; _ <<- @2) { @x!(a + 1) | y!(*y) }",
  "for (x <- @0 & y <- @1) { x!(*y) }",
  "for (@x <- @0!?(1, 2)) { Nil }",
  'contract @"c"(@{Int /\\ x}, @"k", ...@r) = { @x!(r) }',
  'match [1, 2] { [x, y] => { Nil } Set(1, ...z) => z {"a" : b ...c} => b (p, _) => p _ => Nil }',
  "match 1 { ~Int => Nil; Int \\/ String => Nil =x => Nil }",
  "if (1 == 2 and not true) { @0!(-1) } else if (1 matches Int) { Nil } else { Nil }",
  "let x <- 1; y <- x in { @x!(*y) } | let a <- 1 & b <- 2 in { Nil }",
  "bundle+ { @0 } | bundle- {Nil} | bundle0 {Nil} | bundle {Nil}",
  "select { x <- @0 => Nil y <- @1 => Nil }",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Rholang's interpolation
  '@0!("a" ++ "b", "${n}" %% {"n" : 1}, [1] ++ [2], Set(1) -- Set(2), 5 % 3 / 2 * 7)',
  "@0!([1, 2].nth(0).toByteArray(), {1 : 2}.get(1), (1,), (1, 2), true or false, 1 <= 2)",
  "@{0 | 1}!?(2).",
  "@0!?(2); @1!?(3); Nil",
  "new a in { match a { =a => Nil } | for (=*a <- a) { Nil } | for(@{=a} <- a) { Nil } }",
  "/* c */ @0!(1) // d\n",
];

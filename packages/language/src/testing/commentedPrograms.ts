import { parseSource } from "@vedette/rholang";

/** Together they have every construct. */
export const programs: readonly string[] = [
  "new x, y(`rho:io:stdout`) in { x!(1, [2]) | for (@a, b <- x & c <- y; @d <- x?! & e <- x!?(1)) { Nil } }",
  "match x { 1 => Nil _ => { @1!!() } { y | =*z } => @2!(~y /\\ Int) }",
  "if (1 == 2) { Nil } else if (true) { @0!({1 : 2 ...r}) } else Nil",
  "contract f(@x, y ...@z) = { y!(x.nth(1) + 2 * 3) | for (q <<- y) { Nil } | for (q <= y) { Nil } }",
  "let @x, y <- 1, 2; z <- 3 in { bundle+{*z} } | let x <- 1 & y <- 2 in { not true }",
  "@{ 1 | 2 }!?((1,), Set(1, ), -1). | select { x <- y => Nil }",
  "{x!?(1); Nil} | Nil | (1 + 2) matches {Int}",
];

/** What may stand between two tokens. */
export const trivia: readonly string[] = [
  "\n\n",
  " // x\n",
  "\n// y\n",
  " /* z */ ",
  "\n/* a\n b */\n",
  "\n\n\n//\n",
  "/* q */ // p\n",
];

/** The texts of a program's tokens; the last is empty. */
export function tokenTexts(source: string): string[] {
  return parseSource(source).tokens.map(({ start, end }) => source.slice(start, end));
}

import { languageOf } from "../Language.js";

const firstPrograms: readonly string[] = [
  "new x, y(`rho:io:stdout`) in { x!(1, [2]) | for (@a, b <- x & c <- y; @d <- x?! & e <- x!?(1)) { Nil } }",
  "match x { 1 => Nil _ => { @1!!() } { y | =*z } => @2!(~y /\\ Int) }",
  "if (1 == 2) { Nil } else if (true) { @0!({1 : 2 ...r}) } else Nil",
  "contract f(@x, y ...@z) = { y!(x.nth(1) + 2 * 3) | for (q <<- y) { Nil } | for (q <= y) { Nil } }",
  "let @x, y <- 1, 2; z <- 3 in { bundle+{*z} } | let x <- 1 & y <- 2 in { not true }",
  "@{ 1 | 2 }!?((1,), Set(1, ), -1). | select { x <- y => Nil }",
  "{x!?(1); Nil} | Nil | (1 + 2) matches {Int}",
];

const f1r3nodeTestPrograms: readonly string[] = [
  "new x(`rho:io:stdout`), y, in { x!(1, ()) | for (@a, b, <- x & c <- y where a > 1; @d <- x?! & e <- x!m(1)) { Nil } }",
  "match {x} { 1 where x == 1.5 and true => Nil _ => { @1!!(-1, - 1, 2u8) } y => y!?(1); =*z }",
  "if (1 == 2) Nil else if (true) { @0!({1 : 2, ...r}) } else { x!m(1, 2). }",
  "contract f(@x, y, ...@z) = { y!(x.nth(1) + 2n * 3.25p2, {|1, [x], ...r|}) | for (q <<- y) { Nil } }",
  "let x = 1; @y <- 2, 3 in { bundle+{*z} } | let a <- *y & b <- 2 in not true | bundle0 {Nil}",
  "agent a { constructor(c) { Nil } | method m(@d) { return!(1) } | default(e) { Nil } } | (1 + 2) matches {Int}",
];

/** Together they have every construct of the grammars of networks. */
export const programs = [
  ...firstPrograms.map((source) => ({ dialect: "rnode", source }) as const),
  ...f1r3nodeTestPrograms.map((source) => ({ dialect: "f1r3node", source }) as const),
];

type ProgramOfDialect = (typeof programs)[number];

/** Texts that are allowed between two tokens. */
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
export function tokenTexts({ dialect, source }: ProgramOfDialect): string[] {
  const { tokens } = languageOf(dialect).read(source);
  return tokens.map(({ start, end }) => source.slice(start, end));
}

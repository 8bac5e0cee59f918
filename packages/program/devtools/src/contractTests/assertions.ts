import type { ProgramWrapper } from "@vedette/execution";

/** The assertion of a check about two values. */
export type CheckKind = "equal" | "differ" | "silent";

/** The names of the library that take a check; a send to one gets its place in the text as one more value. */
export const assertionNames: readonly string[] = ["check", "equal", "differ", "holds", "answers", "silent"];

/** Each as a program calls it, and, with its place, as the runner makes it where it looks for what failed. */
const contracts = [
  contract("equal", "@actual, @expected", 'check!(actual, expected, $place, "equal")'),
  contract("differ", "@actual, @other", 'check!(actual, other, $place, "differ")'),
  contract("holds", "@value", 'check!(value, true, $place, "equal")'),
  contract("answers", "channel, @expected", 'for (@answer <- channel) { check!(answer, expected, $place, "equal") }'),
  contract("silent", "channel", 'for (@answer <- channel) { check!(answer, "no answer", $place, "silent") }'),
];

/**
 * The assertion library: wraps the programs of a file that names no other wrapper. It takes one line, so that line
 * numbers of the program stay those of the file.
 */
export const assertions: ProgramWrapper = {
  text: [
    "new check(`rho:rchain:deployId`), deployerId(`rho:rchain:deployerId`), lookup(`rho:registry:lookup`),",
    "stdout(`rho:io:stdout`), equal, differ, holds, answers, silent in {",
    ...contracts,
    "$$case$$\n}",
  ].join(" "),
  checks: undefined,
};

function contract(name: string, formals: string, body: string): string {
  const plain = `contract ${name}(${formals}) = { ${body.replace("$place", "-1")} } |`;
  const placed = `contract ${name}(${formals}, @place) = { ${body.replace("$place", "place")} } |`;
  return `${plain} ${placed}`;
}

import { InterpreterError } from "@vedette/rholang";
import { firstOffender, parseProgram, terminals } from "@vedette/rholang/testing";
import { must, type Target } from "../driver/Target.js";

const spelling: Readonly<Record<string, string>> = { identifier: "x", integer: "1", string: '"s"', uri: "`u`" };
const mostTokens = 40;

/** A byte is a token; the parser must accept and refuse what the grammar does, at the same token. */
export const rholangGrammar: Target = {
  name: "rholang-grammar",
  about: "the parser accepts what the grammar derives, and refuses the rest at the same token",
  cost: "dear",
  files: ["rholang/syntax/"],
  mostBytes: mostTokens,
  *seeds() {
    for (let first = 0; first < terminals.length; first += 1) yield Uint8Array.of(first);
  },
  run(input) {
    const tokens = tokensOf(input);
    const refused = refusedToken(tokens);
    const expected = firstOffender(tokens);
    must(refused === expected, `the parser refuses token ${refused}, the grammar ${expected}`);
  },
  show: (input) => tokensOf(input).join(" "),
};

function tokensOf(input: Uint8Array): string[] {
  return Array.from(input.subarray(0, mostTokens), (byte) => terminals[byte % terminals.length]!);
}

/** The index of the token that is refused; the number of tokens at the end of the text; -1 if none is. */
function refusedToken(tokens: readonly string[]): number {
  const starts: number[] = [];
  let source = "";
  for (const token of tokens) {
    starts.push(source.length);
    source += `${spelling[token] ?? token} `;
  }
  try {
    parseProgram(source);
    return -1;
  } catch (error) {
    if (!(error instanceof InterpreterError) || error.failure.class !== "SyntaxError") throw error;
    return error.failure.found === undefined ? tokens.length : starts.indexOf(error.failure.at.offset!);
  }
}
